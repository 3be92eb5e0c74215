/**
 * The signals that the product's rules know by name (DESIGN.md section 1). A reading may carry any other
 * signal too; those are kept under the name the logger gave them.
 */

/** Signals with exactly one spelling on the wire and in the database. */
export const OUR_SIGNALS = [
  'LATITUDE', // degrees, WGS 84
  'LONGITUDE', // degrees, WGS 84
  'GMT_UNIX', // seconds since 1970, UTC
  'MotorSpeed', // rpm
  'ChargingCurrent', // A
  'ChargingVoltage', // V
  'BatteryCurrent', // A, positive while discharging
  'BatteryVoltage', // V
  'Speed', // km/h
  'Machinestatus', // code
  'Spoor', // code
  'Spoorstand', // code
] as const;
export type OurSignal = (typeof OUR_SIGNALS)[number];

/** Name to finite number. Soc* and IsCharging* keep the logger's own case. */
export type Signals = Readonly<Record<string, number>>;

/** The signals of one stream at one instant. */
export type Reading = {
  /** Milliseconds since 1970, UTC. */
  readonly time: number;
  readonly signals: Signals;
};

/** A state of charge, one per battery: `Soc1`, `soc2`, `SOC` … (specification section 3). */
export const isSocSignal = (name: string): boolean => /^soc/i.test(name);

/** A charging flag; a machine may have several (specification section 3). */
export const isChargingFlag = (name: string): boolean => name.startsWith('IsCharging');
