import type { Definition } from '#shared/contract/definition.ts';

/** The make of the demo whose loggers deliver raw CAN logs beside their snapshots. */
export const CAN_BRAND = 'Kipstra';

/**
 * The CAN bus of a simulated Kipstra dumper: written for this demo, of no real machine. Little and big endian,
 * signed, flags, and SAE J1939's Vehicle Position (PGN 65267). A dumper with one battery sends the short frames.
 */
const KIPSTRA_DBC = `VERSION "Werkstroom demo 1: SIMULATED, of no real machine"

NS_ :

BS_:

BU_: KPS

BO_ 256 KPS_Aandrijving: 6 KPS
 SG_ DrvRpm : 0|16@1+ (0.5,0) [0|12000] "rpm" Vector__XXX
 SG_ HydDruk : 16|16@1+ (0.1,0) [0|400] "bar" Vector__XXX
 SG_ Snelheid : 32|16@1+ (0.1,0) [0|80] "km/h" Vector__XXX

BO_ 257 KPS_Pakket: 8 KPS
 SG_ PackI : 7|16@0- (0.1,0) [-1000|1000] "A" Vector__XXX
 SG_ PackU : 23|16@0+ (0.1,0) [0|1000] "V" Vector__XXX
 SG_ ChgI : 39|16@0+ (0.1,0) [0|1000] "A" Vector__XXX
 SG_ ChgU : 55|16@0+ (0.1,0) [0|1000] "V" Vector__XXX

BO_ 258 KPS_Lading: 7 KPS
 SG_ SocDisp1 : 0|16@1+ (0.1,0) [0|100] "%" Vector__XXX
 SG_ ChgPlug1 : 16|1@1+ (1,0) [0|1] "" Vector__XXX
 SG_ Satellieten : 24|8@1+ (1,0) [0|32] "" Vector__XXX
 SG_ SocDisp2 : 32|16@1+ (0.1,0) [0|100] "%" Vector__XXX
 SG_ ChgPlug2 : 48|1@1+ (1,0) [0|1] "" Vector__XXX

BO_ 259 KPS_Warmte: 6 KPS
 SG_ OutsideTemperature : 0|16@1- (0.1,0) [-40|60] "degC" Vector__XXX
 SG_ BatteryTemperature1 : 16|16@1- (0.1,0) [-40|100] "degC" Vector__XXX
 SG_ BatteryTemperature2 : 32|16@1- (0.1,0) [-40|100] "degC" Vector__XXX

BO_ 2566845396 VP: 8 KPS
 SG_ Latitude : 0|32@1+ (1E-07,-210) [-210|211.1] "deg" Vector__XXX
 SG_ Longitude : 32|32@1+ (1E-07,-210) [-210|211.1] "deg" Vector__XXX

CM_ "Simulated: the dumper of Werkstroom's demo.";
`;

/** Bound to the writers of the make's loggers. */
export const KIPSTRA_DEFINITION: Definition = {
  buses: [{ bus: 0, bitrate: 250_000, name: 'kipstra-simulatie.dbc', dbc: KIPSTRA_DBC }],
  mapping: {
    signals: [
      { signal: 'DrvRpm', to: 'MotorSpeed' },
      { signal: 'HydDruk', to: 'HydraulicPressure' },
      { signal: 'Snelheid', to: 'Speed' },
      { signal: 'PackI', to: 'BatteryCurrent' },
      { signal: 'PackU', to: 'BatteryVoltage' },
      { signal: 'ChgI', to: 'ChargingCurrent' },
      { signal: 'ChgU', to: 'ChargingVoltage' },
      { signal: 'SocDisp1', to: 'SOC1' },
      { signal: 'SocDisp2', to: 'SOC2' },
      { signal: 'ChgPlug1', to: 'IsCharging1' },
      { signal: 'ChgPlug2', to: 'IsCharging2' },
      { signal: 'Satellieten', to: 'NUMBER_SATELLITES' },
      { signal: 'Latitude', to: 'LATITUDE' },
      { signal: 'Longitude', to: 'LONGITUDE' },
    ],
    keep: [{ bus: 0, message: 'KPS_Warmte' }],
  },
};
