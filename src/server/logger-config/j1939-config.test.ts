import { expect, test } from 'vitest';
import type { SignalMapping } from '#shared/contract/definition.ts';
import { checkConfig } from './check-config.ts';
import { makeLoggerConfig } from './logger-config.ts';
import { blocksOf, CONFIG_REQUEST, xmlOf } from './test/config-fixture.ts';

/** DBC with messages of any source, of one source, with a destination, and in several frames. */
const DBC = `BO_ 2566873598 Pack: 8 X
 SG_ Charge : 0|8@1+ (0.4,0) [0|100] "%" X
BO_ 2566873332 Own: 8 X
 SG_ OwnCharge : 0|8@1+ (0.4,0) [0|100] "%" X
BO_ 2565800190 Directed: 8 X
 SG_ Amps : 0|8@1+ (1,0) [0|0] "A" X
BO_ 2566850046 Long: 10 X
 SG_ Tail : 64|16@1+ (1,0) [0|0] "" X
`;
const request = (signals: SignalMapping[], keep: string[] = [], j1939: 'all' | 'none' = 'all') => ({
  ...CONFIG_REQUEST,
  definition: {
    buses: [{ bus: 0, bitrate: 250_000, name: 'j.dbc', dbc: DBC, j1939 }],
    mapping: { signals, keep: keep.map((message) => ({ bus: 0, message })) },
  },
});
const hex = (identifier: string | undefined): string =>
  Number(identifier).toString(16).toUpperCase().padStart(8, '0');
const messagesOf = (xml: string) =>
  blocksOf(xml, 'CANMESSAGE').map(({ Name, MessageIdentStart, MessageIdentEnd, J1939Source }) =>
    [Name, hex(MessageIdentStart), hex(MessageIdentEnd), J1939Source ?? ''].join(' '),
  );
const GROUPS = [
  'TP_CM 18EC0000 18ECFFFD 254',
  'TP_CM 1CEC0000 1CECFFFD 254',
  'TP_DT 18EB0000 18EBFFFD 254',
  'TP_DT 1CEB0000 1CEBFFFD 254',
  'DM1 18FECA00 18FECAFD 254',
];

test('a J1939 message is recorded from any source and destination, and so are TP.CM, TP.DT and the fault codes of DM1 (42.6)', () => {
  const xml = xmlOf(
    request([
      { signal: 'Charge', to: 'Soc1' },
      { signal: 'OwnCharge', to: 'Soc2' },
      { signal: 'Amps', to: 'BatteryCurrent' },
    ]),
  );
  expect(checkConfig(xml)).toEqual([]);
  expect(messagesOf(xml)).toEqual([
    'Pack 18FF6100 18FF61FD 254',
    'Own 18FF60F4 18FF60F4 244',
    'Directed 18EF0000 18EFFFFD 254',
    ...GROUPS,
  ]);
  for (const { isJ1939 } of blocksOf(xml, 'CANMESSAGE')) expect(isJ1939).toBe('true');
  // Each of the 8 CAN messages and the 3 values of the GNSS receiver is recorded on the card.
  expect(blocksOf(xml, 'SDMESSAGE')).toHaveLength(8 + 3);
});

test('a mapping with a J1939 source address records that source’s message separately, and feeds one signal of the snapshot from it (42.6)', () => {
  const packs = [
    { signal: 'Charge', source: 0xf3, to: 'Soc1' },
    { signal: 'Charge', source: 0xf4, to: 'Soc2' },
  ];
  const xml = xmlOf(request(packs));
  const own = ['Pack 18FF61F3 18FF61F3 243', 'Pack 18FF61F4 18FF61F4 244'];
  expect(messagesOf(xml)).toEqual([...own, ...GROUPS]);
  const uids = blocksOf(xml, 'CANMESSAGE').map(({ UID }) => UID);
  const signals = blocksOf(xml, 'CANSIGNAL').map(({ Name, MessageUID }) => [Name, MessageUID]);
  expect(signals).toEqual([
    ['Soc1', uids[0]],
    ['Soc2', uids[1]],
  ]);
  // A message that is mapped and also kept is recorded from every source, without a second record for its named sources.
  const kept = xmlOf(request(packs, ['Pack']));
  expect(messagesOf(kept)).toEqual([...own, 'Pack 18FF6100 18FF61FD 254', ...GROUPS]);
  expect(blocksOf(kept, 'SDMESSAGE')).toHaveLength(6 + 3);
});

test('a J1939 message of several frames is recorded in the log but not in the snapshot, with a warning (42.6)', () => {
  const long = request([{ signal: 'Tail', to: 'Tail' }]);
  expect(messagesOf(xmlOf(long))).toEqual(GROUPS);
  expect(makeLoggerConfig(long).warnings).toContain(
    'De logger voegt geen berichten van meer frames samen. Niet in de momentopname, wel in het logbestand: Tail.',
  );
});

test('config.xml for a DBC file without J1939 has one identifier per message, and no J1939 fields (42.6)', () => {
  const xml = xmlOf(request([{ signal: 'Charge', to: 'Soc1' }], [], 'none'));
  expect(messagesOf(xml)).toEqual(['Pack 18FF61FE 18FF61FE ']);
  expect(xml).not.toContain('J1939');
});
