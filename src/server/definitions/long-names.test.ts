import { expect, test } from 'vitest';
import { makeLoggerConfig } from '#server/logger-config/logger-config.ts';
import { CONFIG_REQUEST } from '#server/logger-config/test/config-fixture.ts';
import { planFromDefinition } from '#server/telemetry/decode/can-log/decode-plan.ts';
import type { Mapping, SignalMapping } from '#shared/contract/definition.ts';
import { definitionTasks } from './definition-tasks.ts';

const LONG = 'StateOfChargeOfTheBatteryThatIsShownToTheDriver';
const MESSAGE = 'TheMessageOfTheBatteryManagementSystem';
const TEXT = `BO_ 500 TheMessageOfTheBatteryMana_0001: 8 X
 SG_ StateOfChargeOfTheBatteryTh_0001 M : 0|8@1+ (0.5,0) [0|100] "%" X
 SG_ Cell m7 : 8|8@1+ (1,0) [0|0] "V" X
BO_ 501 Other: 8 X
 SG_ Plain : 0|8@1+ (1,0) [0|0] "" X
 SG_ Twin_0001 : 8|8@1+ (1,0) [0|0] "" X
BA_DEF_ SG_ "SystemSignalLongSymbol" STRING ;
BA_ "SystemMessageLongSymbol" BO_ 500 "${MESSAGE}";
BA_ "SystemSignalLongSymbol" SG_ 500 StateOfChargeOfTheBatteryTh_0001 "${LONG}";
BA_ "SystemSignalLongSymbol" SG_ 501 Twin_0001 "Plain";
`;
const bus = { bus: 0, bitrate: 250_000, name: 'a.dbc', dbc: TEXT };
const BY_LONG: SignalMapping = { bus: 0, message: MESSAGE, signal: LONG, to: 'Soc1' };
const BY_SHORT: SignalMapping = {
  bus: 0,
  message: 'TheMessageOfTheBatteryMana_0001',
  signal: 'StateOfChargeOfTheBatteryTh_0001',
  to: 'Soc1',
};
const definitionOf = (mapping: Mapping) => ({ buses: [bus], mapping });
const kind = 'machine' as const;

test('the long signal names of a DBC file are shown and proposed, but a long name that equals another signal’s name is ignored (43.7)', () => {
  const { view } = definitionTasks.upload({
    definition: { buses: [], mapping: { signals: [], keep: [] } },
    added: bus,
    kind,
  });
  const names = view.buses[0]?.messages.map(({ name, signals }) => [name, ...signals.map((one) => one.name)]);
  expect(names).toEqual([
    [MESSAGE, LONG, 'Cell'],
    ['Other', 'Plain', 'Twin_0001'],
  ]);
  expect(view.buses[0]?.messages[0]?.signals[1]?.activeWhen).toBe(`${LONG} = 7`);
  expect(view.proposals).toEqual([{ to: 'Soc1', bus: 0, message: MESSAGE, signal: LONG }]);
});

test.each([
  ['short', BY_SHORT],
  ['short, without a message', { signal: BY_SHORT.signal, to: 'Soc1' }],
  ['long', BY_LONG],
  ['long, without a message', { signal: LONG, to: 'Soc1' }],
])('a mapping by the %s name decodes frames, and makes the same configuration (43.7)', (_, entry) => {
  const definition = definitionOf({ signals: [entry], keep: [] });
  const frame = planFromDefinition(definition).buses[0]?.frames.get(500);
  const out = new Float64Array(1);
  if (frame === undefined || frame === 'unused') throw new Error('The message is not used.');
  frame.decoder.decode(Uint8Array.of(130), 1, out);
  expect([planFromDefinition(definition).names, out[0]]).toEqual([['Soc1'], 65]);

  const config = makeLoggerConfig({ ...CONFIG_REQUEST, definition });
  expect(config).toEqual(
    makeLoggerConfig({ ...CONFIG_REQUEST, definition: definitionOf({ signals: [BY_LONG], keep: [] }) }),
  );
  // The logger sends a signal under the name that it is mapped to.
  expect(config).toMatchObject({ ok: true, xml: expect.stringContaining('<Name>Soc1</Name>') });
  expect(config).toMatchObject({ xml: expect.not.stringContaining(LONG) });
});

test.each([['TheMessageOfTheBatteryMana_0001'], [MESSAGE]])(
  'the signals of a message kept as %s are stored under their short names (43.7)',
  (message) => {
    const definition = definitionOf({ signals: [], keep: [{ bus: 0, message }] });
    expect(planFromDefinition(definition).names).toEqual(['StateOfChargeOfTheBatteryTh_0001', 'Cell']);
    const { view } = definitionTasks.restore({ definition, kind });
    expect(view.mapping.keep).toEqual([{ bus: 0, message: MESSAGE }]);
  },
);

test('a mapping that was stored with short signal names is shown with the long names, and keeps the short names when it is saved (43.7)', () => {
  const stored = { signals: [BY_SHORT], keep: [{ bus: 0, message: BY_SHORT.message as string }] };
  const definition = definitionOf(stored);
  const shown = definitionTasks.view({ version: 1, definition, kind }).mapping;
  expect(shown).toEqual({ signals: [BY_LONG], keep: [{ bus: 0, message: MESSAGE }] });
  expect(definitionTasks.mapping({ definition, mapping: shown, kind }).definition.mapping).toEqual(stored);

  const changed = {
    signals: [
      { ...BY_LONG, factor: 2 },
      { ...BY_LONG, signal: 'Cell', to: 'Soc2' },
    ],
    keep: [],
  };
  expect(definitionTasks.mapping({ definition, mapping: changed, kind }).definition.mapping).toEqual({
    signals: [
      { ...BY_SHORT, factor: 2 },
      { ...BY_LONG, signal: 'Cell', to: 'Soc2' },
    ],
    keep: [],
  });
  const again = definitionTasks.upload({ definition, added: { ...bus, name: 'b.dbc' }, kind });
  expect(again.definition.mapping).toEqual(stored);
});
