import { describe, expect, test } from 'vitest';
import type { Definition, KeptMessage, SignalMapping } from '#shared/contract/definition.ts';
import { type DecodePlan, type FramePlan, planFromDefinition } from './decode-plan.ts';

const byte = (name: string, at: number) => ` SG_ ${name} : ${at}|8@1+ (1,0) [0|0] "" X\n`;
const DBC0 = `BO_ 1 Bms: 8 X\n${byte('Soc', 0)}${byte('Counter', 8)}
BO_ 2147483649 Motor: 8 X\n${byte('Rpm', 0)}${byte('Counter', 8)}${byte('Beyond', 64)}
BO_ 3 Other: 8 X\n${byte('Rest', 0)}`;
const DBC1 = `BO_ 1 Charger: 8 X\n${byte('Amps', 0)}${byte('Rest', 8)}`;

const definition = (signals: SignalMapping[], keep: KeptMessage[] = []): Definition => ({
  buses: [
    { bus: 0, bitrate: 500_000, name: 'bms.dbc', dbc: DBC0 },
    { bus: 1, bitrate: 250_000, name: 'charger.dbc', dbc: DBC1 },
  ],
  mapping: { signals, keep },
});

function planOf(plan: DecodePlan, bus: number, id: number): FramePlan {
  const found = plan.buses[bus]?.frames.get(id);
  if (found === undefined || found === 'unused') throw new Error(`no plan for ${id} on can${bus}`);
  return found;
}

test('only mapped and kept signals are decoded; other messages of the DBC are known but unused (INGEST-04)', () => {
  const plan = planFromDefinition(
    definition([{ signal: 'Soc', to: 'Soc1', factor: 0.5, offset: 1 }], [{ bus: 1, message: 'Charger' }]),
  );
  expect(plan.names).toEqual(['Soc1', 'Amps', 'Rest']);
  const bms = planOf(plan, 0, 1);
  expect(bms.decoder.names).toEqual(['Soc']);
  expect(bms.outputs).toEqual([{ place: 0, slot: 0, factor: 0.5, offset: 1, isKept: false }]);
  expect(plan.buses[0]?.frames.get(0x8000_0001)).toBe('unused'); // extended 1
  expect(plan.buses[0]?.frames.get(3)).toBe('unused');
  expect(plan.buses[0]?.frames.get(4)).toBeUndefined();
  expect(planOf(plan, 1, 1).outputs.map(({ slot }) => slot)).toEqual([1, 2]);
  expect(plan.buses[2]).toBeUndefined();
});

test('one DBC signal can be mapped to two signals of the portal (INGEST-04)', () => {
  const plan = planFromDefinition(
    definition([
      { signal: 'Soc', to: 'Soc1' },
      { signal: 'Soc', to: 'Soc2', factor: 2 },
    ]),
  );
  expect(planOf(plan, 0, 1).outputs).toEqual([
    { place: 0, slot: 0, factor: 1, offset: 0, isKept: false },
    { place: 0, slot: 1, factor: 2, offset: 0, isKept: false },
  ]);
});

describe('names of kept signals (INGEST-04)', () => {
  test("a kept signal gets its message's name as a prefix when its name occurs twice, is used by a mapping, or is a name that figures use (INGEST-04, 12.A6)", () => {
    const keep = [
      { bus: 0, message: 'Bms' },
      { bus: 0, message: 'Motor' },
    ];
    expect(planFromDefinition(definition([], keep)).names).toEqual([
      'Bms.Soc',
      'Bms.Counter',
      'Rpm',
      'Motor.Counter',
    ]);
    const taken = planFromDefinition(
      definition([{ signal: 'Amps', to: 'Soc' }], [{ bus: 0, message: 'Bms' }]),
    );
    expect(taken.names).toEqual(['Soc', 'Bms.Soc', 'Counter']);
  });

  test('a mapped signal of a message that is kept appears only under the name of the mapping', () => {
    const plan = planFromDefinition(
      definition([{ signal: 'Soc', to: 'Soc1' }], [{ bus: 0, message: 'Bms' }]),
    );
    expect(plan.names).toEqual(['Soc1', 'Counter']);
  });
});

test.each<[SignalMapping[], KeptMessage[], string]>([
  [[{ signal: 'Sock', to: 'Soc1' }], [], 'Signaal Sock bestaat niet.'],
  [[{ signal: 'soc', to: 'Soc1' }], [], 'Signaal soc bestaat niet; bedoel je Soc?'],
  [[{ signal: 'Soc', to: 'Soc1', bus: 1 }], [], 'Signaal Soc bestaat niet op can1'],
  [[{ signal: 'Soc', to: 'Soc1', bus: 2 }], [], 'Signaal Soc: can2 heeft geen DBC-bestand.'],
  [[{ signal: 'Soc', to: 'Soc1', message: 'Motor' }], [], 'Signaal Soc bestaat niet in bericht Motor'],
  [[{ signal: 'Soc', to: 'Soc1', message: 'Nope' }], [], 'Signaal Soc: bericht Nope bestaat niet.'],
  [
    [{ signal: 'Counter', to: 'N' }],
    [],
    'Signaal Counter staat in meer berichten: Bms (can0), Motor (can0). Noem het',
  ],
  [[{ signal: 'Rest', to: 'N' }], [], 'Signaal Rest staat in meer berichten: Other (can0), Charger (can1).'],
  [
    [{ signal: 'Beyond', to: 'N' }],
    [],
    'Signaal Beyond kan niet gelezen worden: staat buiten het bericht van 8 bytes.',
  ],
  [
    [
      { signal: 'Soc', to: 'A' },
      { signal: 'Rpm', to: 'A' },
    ],
    [],
    'Soc en Rpm hebben hetzelfde doel: A.',
  ],
  [[], [{ bus: 1, message: 'Bms' }], 'Te bewaren bericht Bms bestaat niet op can1.'],
  [
    [],
    [
      { bus: 0, message: 'Bms' },
      { bus: 0, message: 'Bms' },
    ],
    'Te bewaren signaal Bms.Soc komt twee keer voor.',
  ],
])('a mapping that does not match the DBC is rejected: %j %j (INGEST-04)', (signals, keep, message) => {
  expect(() => planFromDefinition(definition(signals, keep))).toThrow(message);
  expect(() => planFromDefinition(definition(signals, keep))).toThrow(
    expect.objectContaining({ name: 'MappingError' }),
  );
});

test('a bus or a message in the mapping resolves an ambiguous name (INGEST-04)', () => {
  const signals = [
    { signal: 'Rest', to: 'A', bus: 1 },
    { signal: 'Counter', to: 'B', message: 'Motor' },
  ];
  expect(planFromDefinition(definition(signals)).names).toEqual(['A', 'B']);
});

test('the error of a mapping names the file of a broken DBC, or the bus that has two DBC files (INGEST-04)', () => {
  const [bus] = definition([]).buses;
  if (bus === undefined) throw new Error('no bus');
  const mapping = { signals: [], keep: [] };
  expect(() => planFromDefinition({ buses: [{ ...bus, dbc: 'x' }], mapping })).toThrow(
    'bms.dbc, regel 1: geen enkel bericht',
  );
  expect(() => planFromDefinition({ buses: [bus, bus], mapping })).toThrow(
    'Bus can0 heeft twee DBC-bestanden.',
  );
});
