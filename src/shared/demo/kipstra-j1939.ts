import type { Definition } from '#shared/contract/definition.ts';

/** The dumper in the demo with SAE J1939 on its second bus, and its logger. */
export const J1939_DEMO_MACHINE = { serialNumber: 'KIP25-3301', loggerSerial: '2233019' };

/** Source addresses of the drive's ECU and of the two packs. */
export const DRIVE_SOURCE = 0x00;
export const PACK_SOURCES = [0xf3, 0xf4] as const;

/**
 * The DBC file of the SAE J1939 bus of a simulated dumper: two packs send the same message (FF61) from their own
 * addresses, and the drive's ECU, which sleeps while the machine stands still, sends the engine temperature (FEEE).
 */
const J1939_DBC = `VERSION "Werkstroom demo 1: SIMULATED, of no real machine"

NS_ :

BS_:

BU_: KPS

BO_ 2566873598 KPS_Pack: 8 KPS
 SG_ PackSoc : 0|8@1+ (0.4,0) [0|100] "%" Vector__XXX
 SG_ PackTemp : 8|8@1+ (1,-40) [-40|210] "degC" Vector__XXX
 SG_ PackVolt : 16|16@1+ (0.05,0) [0|3212.75] "V" Vector__XXX

BO_ 2566844158 ET1: 8 KPS
 SG_ DriveTemp : 0|8@1+ (1,-40) [-40|210] "degC" Vector__XXX

BA_DEF_ "ProtocolType" STRING ;
BA_DEF_DEF_ "ProtocolType" "";
BA_ "ProtocolType" "J1939";
`;

const PACKS = ['SOC1', 'SOC2'];

/** Adds the second bus, on which each pack sends its charge level from its own address. */
export const withJ1939Bus = ({ buses, mapping: { signals, keep } }: Definition): Definition => ({
  buses: [
    ...buses,
    { bus: 1, bitrate: 250_000, name: 'kipstra-j1939-simulatie.dbc', dbc: J1939_DBC, j1939: 'dbc' },
  ],
  mapping: {
    signals: [
      ...signals.filter(({ to }) => !PACKS.includes(to)),
      ...PACKS.map((to, n) => ({
        bus: 1,
        message: 'KPS_Pack',
        signal: 'PackSoc',
        source: PACK_SOURCES[n] as number,
        to,
      })),
      { bus: 1, message: 'ET1', signal: 'DriveTemp', to: 'Aandrijftemperatuur' },
    ],
    keep: [...keep, { bus: 1, message: 'KPS_Pack' }],
  },
});
