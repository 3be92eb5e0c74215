/** The types of configuration blocks that the reader needs (BinBaseStatic.cs of InfluxTechnology/ReXlibrary). */
export const BLOCK_TYPE = {
  config: 1,
  canInterface: 2,
  canMessage: 3,
  canSignal: 4,
  adc: 10,
  sdMessage: 14,
  canError: 15,
  trigger: 18,
  digitalInput: 21,
  accelerometer: 24,
  gyro: 25,
  gnssMessage: 27,
  internalParameter: 28,
  ftp: 29,
  mobile: 30,
  linMessage: 33,
  s3: 34,
  linSignal: 39,
  wifi: 40,
  orientation: 43,
  signalOperator: 46,
  signalFilter: 47,
} as const;

/** Highest type in the vendor's list, which starts at 1. */
export const LAST_BLOCK_TYPE = 47;
