import type { Definition } from '#shared/contract/definition.ts';

export const CANDUMP_DBC = `VERSION ""
BU_: ECU
BO_ 256 Battery: 8 ECU
 SG_ PackSoc : 0|8@1+ (0.5,0) [0|100] "%" ECU
 SG_ PackVoltage : 15|16@0- (0.1,0) [0|0] "V" ECU
BO_ 257 Motor: 8 ECU
 SG_ Rpm : 0|16@1+ (1,0) [0|8000] "rpm" ECU
`;

export const CANDUMP_DEFINITION: Definition = {
  buses: [{ bus: 0, bitrate: 250_000, name: 'own.dbc', dbc: CANDUMP_DBC }],
  mapping: {
    signals: [
      { bus: 0, message: 'Battery', signal: 'PackSoc', to: 'Soc1' },
      { signal: 'Rpm', to: 'MotorSpeed' },
    ],
    keep: [],
  },
};

/** A log with charge level 80 %, then 81 % and 1000 rpm two seconds later. Its clock counts from power-on. Bus can1 has no DBC file. */
export const CANDUMP_LOG = `(5.000000) can0 100#A000000000000000
(5.200000) can1 100#0000000000000000
(7.000000) can0 101#E803000000000000
(7.400000) can0 100#A200000000000000
(7.500000) can0 1`;

/** Returns a log of two readings, two seconds apart. Its clock counts seconds since 1970. */
export const candumpLineAt = (second: number): string =>
  `(${second}.000000) can0 100#A000000000000000\n(${second + 2}.000000) can0 100#A200000000000000\n`;
