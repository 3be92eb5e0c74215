/** Signals with a column of their own in the table `reading`, and that column. */
export const SIGNAL_COLUMNS: Readonly<Record<string, string>> = {
  LATITUDE: 'latitude',
  LONGITUDE: 'longitude',
  MotorSpeed: 'motor_speed',
  ChargingCurrent: 'charging_current',
  ChargingVoltage: 'charging_voltage',
  BatteryCurrent: 'battery_current',
  BatteryVoltage: 'battery_voltage',
  Speed: 'speed',
  Machinestatus: 'machinestatus',
  Spoor: 'spoor',
  Spoorstand: 'spoorstand',
};

/** All columns of signals: those, the largest IsCharging* flag, and the soc* signals by battery number. */
export const STORED_COLUMNS = [
  ...Object.values(SIGNAL_COLUMNS),
  'is_charging',
  'soc1',
  'soc2',
  'soc3',
  'soc4',
] as const;

/** Of those, what the interval after it needs of a reading; `latest` has them of the newest, as tail_…. */
export const TAIL_COLUMNS = [
  'latitude',
  'longitude',
  'motor_speed',
  'charging_current',
  'charging_voltage',
  'battery_current',
  'battery_voltage',
  'is_charging',
] as const;
