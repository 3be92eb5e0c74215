import { describe, expect, test } from 'vitest';
import type { Mapping } from '#shared/contract/definition.ts';
import { type DraftRow, type MappingDraft, mappingDraftOf, mappingOf } from './mapping-draft.ts';
import { changedRowNames, isMappingDraftChanged, rebaseDraft } from './use-editing.ts';

const MAPPING: Mapping = {
  signals: [
    { bus: 0, message: 'BMS', signal: 'SocDisp', to: 'Soc1' },
    { bus: 0, message: 'BMS', signal: 'PackI', to: 'BatteryCurrent', factor: -0.1, offset: 2 },
    { signal: 'Oil', to: 'OilTemperature' },
  ],
  keep: [{ bus: 0, message: 'BMS' }],
};
const BASE = mappingDraftOf({ kind: 'logger', mapping: MAPPING });
const withRow = (draft: MappingDraft, to: string, change: Partial<DraftRow>): MappingDraft => ({
  ...draft,
  rows: draft.rows.map((row) => (row.to === to ? { ...row, ...change } : row)),
});
const without = (draft: MappingDraft, to: string): MappingDraft => ({
  ...draft,
  rows: draft.rows.filter((row) => row.to !== to),
});
const rowOf = (draft: MappingDraft, to: string) => draft.rows.find((row) => row.to === to);

describe('a draft rebased on a newer version', () => {
  const ALT = { bus: 1, message: 'Other', signal: 'Soc' };
  test.each<[string, MappingDraft, MappingDraft, string, Partial<DraftRow> | undefined]>([
    [
      'takes a row that only the other user changed',
      BASE,
      withRow(BASE, 'Soc1', { source: ALT }),
      'Soc1',
      { source: ALT },
    ],
    [
      'keeps this user’s change of a row that both users changed',
      withRow(BASE, 'Soc1', { factor: '2' }),
      withRow(BASE, 'Soc1', { source: ALT }),
      'Soc1',
      { factor: '2' },
    ],
    [
      'keeps a row cleared that this user cleared',
      withRow(BASE, 'Soc1', { source: undefined }),
      BASE,
      'Soc1',
      { source: undefined },
    ],
    [
      'leaves out a custom name that this user removed',
      without(BASE, 'OilTemperature'),
      BASE,
      'OilTemperature',
      undefined,
    ],
    [
      'leaves out a custom name that the other user removed',
      BASE,
      without(BASE, 'OilTemperature'),
      'OilTemperature',
      undefined,
    ],
    [
      'keeps a custom name that the other user removed and this user changed',
      withRow(BASE, 'OilTemperature', { factor: '3' }),
      without(BASE, 'OilTemperature'),
      'OilTemperature',
      { factor: '3' },
    ],
  ])('a rebased draft %s (MEDIT-12)', (_, mine, theirs, to, expected) => {
    const row = rowOf(rebaseDraft(mine, BASE, theirs), to);
    if (expected) expect(row).toMatchObject(expected);
    else expect(row).toBeUndefined();
  });

  test('a rebased draft combines the kept messages of both versions (MEDIT-12)', () => {
    const [a, b, c] = ['A', 'B', 'BMS'].map((message) => ({ bus: 0, message }));
    const mine = { ...BASE, keep: [a!] };
    const theirs = { ...BASE, keep: [b!, c!] };
    expect(rebaseDraft(mine, BASE, theirs).keep).toEqual([b, a]);
    expect(changedRowNames(mine, BASE)).toEqual(['bewaren']);
  });

  test('the row of a rail code in a machine’s mapping disappears when it is saved without a DBC signal (MEDIT-12, 12.A11)', () => {
    const signals = [{ bus: 0, message: 'M', signal: 'x', to: 'Spoor' }];
    const mapped = mappingDraftOf({ kind: 'machine', mapping: { signals, keep: [] } });
    const cleared = withRow(mapped, 'Spoor', { source: undefined });
    expect(isMappingDraftChanged(cleared, mapped)).toBe(true);
    const saved = mappingDraftOf({ kind: 'machine', mapping: mappingOf(cleared) });
    // After a save the draft equals what was sent.
    expect(rebaseDraft(cleared, cleared, saved)).toEqual(saved);
    expect(rowOf(saved, 'Spoor')).toBeUndefined();
  });

  test('a draft counts as changed only if it differs from the saved mapping, and rebasing an unchanged draft keeps it as it is (MEDIT-12)', () => {
    expect(isMappingDraftChanged(BASE, mappingDraftOf({ kind: 'logger', mapping: mappingOf(BASE) }))).toBe(
      false,
    );
    expect(isMappingDraftChanged(withRow(BASE, 'Soc1', { offset: '1' }), BASE)).toBe(true);
    expect(rebaseDraft(BASE, BASE, BASE)).toEqual(BASE);
  });
});
