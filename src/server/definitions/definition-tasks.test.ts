import { expect, test } from 'vitest';
import type { SignalMapping } from '#shared/contract/definition.ts';
import { definitionTasks } from './definition-tasks.ts';

const CODES = ['Machinestatus', 'Spoor', 'Spoorstand'];
const dbc = (...names: string[]): string =>
  `BO_ 1 M: 8 X\n${names.map((name, at) => ` SG_ ${name} : ${8 * at}|8@1+ (1,0) [0|0] "" X\n`).join('')}`;
const bus = (text: string) => ({ bus: 0, bitrate: 250_000, name: 'a.dbc', dbc: text });
const nothing = { buses: [], mapping: { signals: [], keep: [] } };
const targetsOf = (signals: readonly { readonly to: string }[]): string[] =>
  signals.map(({ to }) => to).sort();

test.each<['machine' | 'logger', string[]]>([
  ['machine', []],
  ['logger', CODES],
])('the mapping asks a %s for the codes of an LMB logger: %j (MEDIT-12, 12.A11)', (kind, codes) => {
  const similar = bus(dbc('MachineState', 'Track', 'Rail_Stand'));
  const shown = definitionTasks.upload({ definition: nothing, added: similar, kind }).view;
  expect(shown.kind).toBe(kind);
  expect(targetsOf(shown.proposals)).toEqual(codes);
  expect(shown.unmapped.filter((name) => CODES.includes(name))).toEqual(codes);

  const equal = definitionTasks.upload({ definition: nothing, added: bus(dbc(...CODES)), kind });
  expect(targetsOf(equal.view.mapping.signals)).toEqual(codes);
});

test('a machine’s data definition keeps a mapping to a signal of LMB loggers through every change, and does not list those signals as unmapped (MEDIT-12, 12.A11)', () => {
  const signal: SignalMapping = { bus: 0, message: 'M', signal: 'Track', to: 'Spoor' };
  const mapping = { signals: [signal], keep: [] };
  const definition = { buses: [bus(dbc('Track', 'Other'))], mapping };
  const kind = 'machine' as const;
  const views = [
    definitionTasks.view({ version: 7, definition, kind }),
    definitionTasks.mapping({ definition, mapping, kind }).view,
    definitionTasks.upload({ definition, added: { ...bus(dbc('Speed')), bus: 1 }, kind }).view,
  ];
  for (const view of views) expect(view.mapping.signals).toContainEqual(signal);
  const { view } = definitionTasks.delete({ definition, bus: 0, kind });
  expect([view.kind, view.unmapped.filter((name) => CODES.includes(name))]).toEqual(['machine', []]);
});
