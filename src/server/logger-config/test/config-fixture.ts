import type { ConfigRequest, MobileNetwork } from '#server/logger-config/config-request.ts';
import { makeLoggerConfig } from '#server/logger-config/logger-config.ts';
import { childOf, readXml, type XmlElement } from '#server/logger-config/xml.ts';
import type { KeptMessage, SignalMapping } from '#shared/contract/definition.ts';

/** For tests only: a machine with every feature of CAN; invented, not a real machine. */
export const BATTERY_DBC = `VERSION ""

BO_ 513 Battery: 8 BMS
 SG_ Charge : 0|8@1+ (0.5,0) [0|100] "%" X
 SG_ Amps : 15|16@0- (0.1,-20) [0|0] "A" X
 SG_ Chosen M : 32|4@1+ (1,0) [0|15] "" X
 SG_ Cell m3 : 40|16@1+ (0.001,0) [0|5] "V" X
BO_ 2566845396 Motor: 8 ECU
 SG_ Rpm : 0|32@1- (1,0) [0|0] "rpm" X
 SG_ Torque : 32|32@1- (1,0) [0|0] "Nm" X
BO_ 800 Unused: 8 ECU
 SG_ Rest : 0|8@1+ (1,0) [0|0] "" X
SIG_VALTYPE_ 2566845396 Torque : 1;
`;

/** A DBC for a bus with CAN FD, with a 64-bit float. */
const FD_DBC = `VERSION ""

BO_ 1024 Inverter: 64 INV
 SG_ Power : 448|64@1- (1E-3,0) [0|0] "W" X
BO_ 1025 Short: 8 INV
 SG_ Status : 0|8@1+ (1,0) [0|0] "" X
SIG_VALTYPE_ 1024 Power : 2;
BA_ "BaudrateCANFD" 4000000;
BA_ "VFrameFormat" BO_ 1025 14;
`;

export const BATTERY_BUS = { bus: 0, bitrate: 250_000, name: 'battery.dbc', dbc: BATTERY_DBC };
export const FD_BUS = { bus: 2, bitrate: 500_000, name: 'fd.dbc', dbc: FD_DBC };

export const MOBILE_NETWORK: MobileNetwork = {
  kind: 'mobile',
  apn: 'internet',
  user: '',
  password: '',
  pin: '',
};

export const CONFIG_REQUEST: ConfigRequest = {
  serial: 'M0042',
  loggerSerial: '0001234',
  definition: {
    buses: [BATTERY_BUS, FD_BUS],
    mapping: {
      signals: [
        { signal: 'Charge', to: 'Soc1' },
        { signal: 'Amps', to: 'BatteryCurrent', factor: -2, offset: 1 },
        { bus: 0, message: 'Motor', signal: 'Rpm', to: 'MotorSpeed' },
        { signal: 'Torque', to: 'Torque' },
        { bus: 2, signal: 'Power', to: 'Power' },
      ],
      keep: [{ bus: 2, message: 'Short' }],
    },
  },
  upload: {
    endpoint: { host: 'portaal.example.nl', port: 443, https: true },
    bucket: 'telemetry',
    accessKey: 'WSAAAAAAAAAAAAAAAAAA',
    secret: 'secret',
    rootCa: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  },
  network: MOBILE_NETWORK,
  guid: '3f1c2a7e-6b0d-4e0c-9d55-0f7a2b1c9e10',
};

/** Returns the fixture with another mapping, on the battery's bus. */
export const configRequestWithMapping = (
  signals: SignalMapping[],
  keep: KeptMessage[] = [],
): ConfigRequest => ({
  ...CONFIG_REQUEST,
  definition: { buses: [BATTERY_BUS], mapping: { signals, keep } },
});

/**
 * Returns the configuration of a request.
 * @throws Error with the problems, if there is no configuration
 */
export function xmlOf(request: ConfigRequest): string {
  const made = makeLoggerConfig(request);
  if (!made.ok) throw new Error(made.problems.join('\n'));
  return made.xml;
}

export function problemsOf(request: ConfigRequest): readonly string[] {
  const made = makeLoggerConfig(request);
  return made.ok ? [] : made.problems;
}

/** Returns the blocks of a kind, each as its fields. */
export function blocksOf(xml: string, kind: string): Record<string, string>[] {
  const blocks = childOf(childOf(readXml(xml), 'BLOCKS'), `${kind}_LIST`)?.children ?? [];
  return blocks.map(xmlFieldsOf);
}

export const xmlFieldsOf = ({ attributes, children }: XmlElement): Record<string, string> =>
  Object.fromEntries([['UID', attributes.UID ?? ''], ...children.map(({ name, text }) => [name, text])]);
