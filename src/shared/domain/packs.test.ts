import { expect, test } from 'vitest';
import { packLevelsIn, packNumberOf, preferredNameByPack } from './packs.ts';
import type { Signals } from './signal.ts';

test.each([
  ['Soc2', 2],
  ['SOC', 1],
  ['Soc_Pack3_Disp', 3],
  ['soc8', 8],
  ['Soc9', undefined],
  ['Soc0', undefined],
  ['SOC_1.MotorSpeed', undefined],
  ['Speed', undefined],
])('the signal %s belongs to pack %s (12.A5)', (name, pack) => {
  expect(packNumberOf(name)).toBe(pack);
});

const MINUTE = 60_000;
const AT = 100 * MINUTE;
/** Returns last values with their times. @param last [value, minutes before the reading] by signal name */
const before = (last: Record<string, readonly [number, number]>) =>
  Object.fromEntries(
    Object.entries(last).map(([name, [value, minutes]]) => [name, [value, AT - minutes * MINUTE] as const]),
  );

test.each<[string, Record<string, readonly [number, number]>, Signals, (number | undefined)[]]>([
  // Example S1 of docs/figures.md section 7.
  ['of one instant the clearer name counts', {}, { SocDisp: 36, Soc1: 80 }, [80]],
  ['alternating names: only the clearer one counts', { Soc1: [80, 2] }, { SocDisp: 36 }, []],
  ['the clearer name was sent 5 minutes ago', { Soc1: [80, 5] }, { SocDisp: 36 }, []],
  ['the clearer name was sent more than 5 minutes ago', { Soc1: [80, 5.01] }, { SocDisp: 36 }, [36]],
  ['a name of another pack', { Soc1: [80, 2] }, { Soc2: 36 }, [undefined, 36]],
  ['the last value under the same name', { SocDisp: [35, 1] }, { SocDisp: 36 }, [36]],
  ['none', {}, { MotorSpeed: 900 }, []],
])('of two signal names for one pack the clearer one counts: %s (12.A6)', (_, last, signals, expected) => {
  expect(packLevelsIn(signals, before(last), AT)).toEqual(expected);
});

test('if a pack has two signal names, the live data and the figures use the same one (12.A6)', () => {
  expect([...preferredNameByPack(['SocDisp', 'Soc1', 'SOC', 'soc2'])]).toEqual([
    [1, 'Soc1'],
    [2, 'soc2'],
  ]);
});
