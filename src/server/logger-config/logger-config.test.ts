import { describe, expect, test } from 'vitest';
import { makeLoggerConfig } from './logger-config.ts';
import { blocksOf, CONFIG_REQUEST, configRequestWithMapping, FD_BUS, xmlOf } from './test/config-fixture.ts';

test('the same request gives the same config.xml (MEDIT-11)', () => {
  expect(xmlOf(structuredClone(CONFIG_REQUEST))).toBe(xmlOf(CONFIG_REQUEST));
  expect(xmlOf({ ...CONFIG_REQUEST, guid: '00000000-6b0d-4e0c-9d55-0f7a2b1c9e10' })).not.toBe(
    xmlOf(CONFIG_REQUEST),
  );
});

test('config.xml gives signals the default NaN, so that a signal that was never received is not 0 in a snapshot (52.5)', () => {
  const defaults = blocksOf(xmlOf(CONFIG_REQUEST), 'CANSIGNAL').map(({ DefaultValue }) => DefaultValue);
  expect([...new Set(defaults)]).toEqual(['NaN']);
});

describe('signals are written as the vendor writes them (MEDIT-11)', () => {
  const xml = xmlOf(CONFIG_REQUEST);
  const signals = new Map(blocksOf(xml, 'CANSIGNAL').map((signal) => [signal.Name, signal]));
  const messages = new Map(blocksOf(xml, 'CANMESSAGE').map((message) => [message.Name, message]));

  test.each([
    [
      'Intel, unsigned',
      'Soc1',
      { StartBit: '0', BitCount: '8', Endian: 'INTEL', SignalType: 'UNSIGNED', ParA: '0.5', ParB: '0' },
    ],
    // (raw x 0.1 - 20) x -2 + 1 = raw x -0.2 + 41
    [
      'Motorola, signed, factors joined',
      'BatteryCurrent',
      { StartBit: '15', BitCount: '16', Endian: 'MOTOROLA', SignalType: 'SIGNED', ParA: '-0.2', ParB: '41' },
    ],
    ['32 bits', 'MotorSpeed', { StartBit: '0', BitCount: '32', Endian: 'INTEL', SignalType: 'SIGNED' }],
    ['a float', 'Torque', { StartBit: '32', BitCount: '32', Endian: 'INTEL', SignalType: 'FLOAT32' }],
    [
      'a double, far in a CAN FD frame',
      'Power',
      { StartBit: '448', BitCount: '64', SignalType: 'FLOAT64', ParA: '0.001' },
    ],
  ])('a signal is written as the vendor writes it: %s', (_what, name, fields) => {
    expect(signals.get(name)).toMatchObject(fields);
  });

  test.each([
    [
      'standard',
      'Battery',
      {
        MessageIdentStart: '513',
        MessageIdentEnd: '513',
        IsExtended: 'false',
        DLC: '8',
        CANFD_Option: 'NORMAL_CAN',
      },
    ],
    ['extended, without bit 31', 'Motor', { MessageIdentStart: '419361748', IsExtended: 'true' }],
    ['CAN FD', 'Inverter', { DLC: '64', CANFD_Option: 'FD_FAST_CAN', DefaultHex: '00'.repeat(64) }],
    ['CAN FD of 8 bytes, by its VFrameFormat', 'Short', { DLC: '8', CANFD_Option: 'FD_FAST_CAN' }],
  ])('a message has the fields of its DBC: %s', (_what, name, fields) => {
    expect(messages.get(name)).toMatchObject(fields);
  });

  test('config.xml has only the messages that the mapping needs or keeps, and no signals of a kept message', () => {
    expect([...messages.keys()]).toEqual(['Battery', 'Motor', 'Inverter', 'Short']);
    expect([...signals.keys()]).toEqual(['Soc1', 'BatteryCurrent', 'MotorSpeed', 'Torque', 'Power']);
  });

  test('each bus in config.xml is listen-only, and a CAN FD bus has the bit rate that the DBC names', () => {
    const [classic, fd] = blocksOf(xml, 'CANINTERFACE');
    expect(classic).toMatchObject({
      PhysicalNumber: '0',
      Type: 'CAN',
      CANBusSpeed: '250000',
      CANFDBusSpeed: '0',
      SilentMode: 'true',
    });
    expect(fd).toMatchObject({
      PhysicalNumber: '2',
      Type: 'CAN_FD',
      CANBusSpeed: '500000',
      CANFDBusSpeed: '4000000',
    });
    expect(messages.get('Battery')?.InterfaceUID).toBe(classic?.UID);
    expect(messages.get('Inverter')?.InterfaceUID).toBe(fd?.UID);
  });

  test('a bus from which the mapping needs no signal is left out of config.xml', () => {
    const definition = {
      ...CONFIG_REQUEST.definition!,
      mapping: configRequestWithMapping([{ signal: 'Charge', to: 'Soc1' }]).definition!.mapping,
    };
    expect(blocksOf(xmlOf({ ...CONFIG_REQUEST, definition }), 'CANINTERFACE')).toHaveLength(1);
  });
});

describe('the snapshot (MEDIT-11)', () => {
  const namesOf = (xml: string) => blocksOf(xml, 'DAQITEM').map(({ Name }) => Name);

  test('a snapshot has position, time and the mapped signals, each from its own block, every 5 seconds', () => {
    const xml = xmlOf(CONFIG_REQUEST);
    const sources = new Map(
      [...blocksOf(xml, 'GNSSMESSAGE'), ...blocksOf(xml, 'CANSIGNAL')].map((one) => [one.UID, one]),
    );
    const items = blocksOf(xml, 'DAQITEM').map(({ Name, InputUID = '' }) => {
      const source = sources.get(InputUID);
      return [Name, source?.Type ?? source?.Name];
    });
    expect(items).toEqual([
      ['LATITUDE', 'LATITUDE'],
      ['LONGITUDE', 'LONGITUDE'],
      ['GMT_UNIX', 'DATETIME'],
      ...['Soc1', 'BatteryCurrent', 'MotorSpeed', 'Torque', 'Power'].map((name) => [name, name]),
    ]);
    expect(blocksOf(xml, 'DAQFILE')).toMatchObject([{ Name: 'Snapshot', UploadRate: '5', FileType: 'JSON' }]);
  });

  test('a mapped LATITUDE replaces that of the GPS receiver in the snapshot, and the log still has the receiver’s LATITUDE', () => {
    const xml = xmlOf(configRequestWithMapping([{ signal: 'Rpm', to: 'LATITUDE', factor: 1e-7 }]));
    expect(namesOf(xml)).toEqual(['LONGITUDE', 'GMT_UNIX', 'LATITUDE']);
    expect(blocksOf(xml, 'GNSSMESSAGE')).toHaveLength(3);
    expect(blocksOf(xml, 'CANSIGNAL')).toMatchObject([{ ParA: '0.0000001' }]);
  });

  test('one DBC signal may feed two signals of a snapshot', () => {
    const both = [
      { signal: 'Charge', to: 'Soc1' },
      { signal: 'Charge', to: 'Soc2', factor: 2 },
    ];
    expect(blocksOf(xmlOf(configRequestWithMapping(both)), 'CANSIGNAL')).toMatchObject([
      { Name: 'Soc1', ParA: '0.5' },
      { Name: 'Soc2', ParA: '1' },
    ]);
  });

  test('a multiplexed signal is left out with a warning, because the logger would read it from every frame', () => {
    const made = makeLoggerConfig(
      configRequestWithMapping([
        { signal: 'Cell', to: 'Cell' },
        { signal: 'Chosen', to: 'Chosen' },
      ]),
    );
    expect(made).toMatchObject({ ok: true });
    expect(made.warnings.join()).toContain('wel in het logbestand: Cell.');
    const xml = made.ok ? made.xml : '';
    expect(namesOf(xml)).toEqual(['LATITUDE', 'LONGITUDE', 'GMT_UNIX', 'Chosen']);
    expect(blocksOf(xml, 'CANMESSAGE')).toMatchObject([{ Name: 'Battery' }]);
  });

  test('a configuration that only keeps messages sends no signals but the position, and records the messages', () => {
    const made = makeLoggerConfig(configRequestWithMapping([], [{ bus: 0, message: 'Unused' }]));
    const xml = made.ok ? made.xml : '';
    expect(made.warnings.join()).toContain('alleen de positie');
    expect(blocksOf(xml, 'CANSIGNAL')).toEqual([]);
    const recorded = blocksOf(xml, 'SDMESSAGE').map(({ InputMessageUID }) => InputMessageUID);
    const expected = [...blocksOf(xml, 'CANMESSAGE'), ...blocksOf(xml, 'GNSSMESSAGE')].map(({ UID }) => UID);
    expect(recorded).toEqual(expected);
  });
});

test.each([
  ['does not name the speed', ''],
  ['names a speed that no logger has', 'BA_ "BaudrateCANFD" 80000000;\n'],
  ['names no speed', 'BA_ "BaudrateCANFD" 0;\n'],
])('a DBC of CAN FD that %s gets the usual bit rate, with a warning (MEDIT-11)', (_what, attribute) => {
  const bus = { ...FD_BUS, dbc: FD_BUS.dbc.replace(/BA_ "BaudrateCANFD".*\n/, attribute) };
  const mapping = { signals: [{ signal: 'Power', to: 'Power' }], keep: [] };
  const made = makeLoggerConfig({ ...CONFIG_REQUEST, definition: { buses: [bus], mapping } });
  expect(made.ok && blocksOf(made.xml, 'CANINTERFACE')).toMatchObject([
    { Type: 'CAN_FD', CANFDBusSpeed: '2000000' },
  ]);
  expect(made.warnings).toEqual([
    expect.stringMatching(/^Bus can2 is CAN FD, .*2000000 bit\/s is aangenomen\.$/),
  ]);
});
