import { describe, expect, test } from 'vitest';
import { ATTENTION_KINDS } from '#shared/domain/attention.ts';
import type { MapMachine } from './map-machine.ts';
import {
  attentionAtMarker,
  chargeText,
  clusterSharesText,
  countStateShares,
  stateSharesRing,
} from './marker-text.ts';

const MACHINE: MapMachine = {
  id: '1',
  alias: 'Rups',
  lat: 52,
  lon: 5,
  status: 'off',
  stale: false,
  percent: 63.4,
  isLow: false,
  attention: undefined,
};

test.each<[Partial<MapMachine>, string]>([
  [{}, '63%'],
  [{ percent: 8, isLow: true }, '8%, batterij laag'],
  [{ stale: true, percent: 0 }, '0%'],
  [{ percent: undefined }, ''],
])('the text of a marker gives the charge, and says if it is low: %j (15.3c)', (change, text) => {
  expect(chargeText({ ...MACHINE, ...change })).toBe(text);
});

const REASON = { kind: 'fault', words: 'storing SPN 100, FMI 1' } as const;

test('the text of a marker gives the reason for attention, and mentions a low battery once (53.24)', () => {
  expect(chargeText({ ...MACHINE, attention: REASON })).toBe('63%, storing SPN 100, FMI 1');
  const low = { kind: 'low', words: 'batterij laag: 8%' } as const;
  expect(chargeText({ ...MACHINE, percent: 8, isLow: true, attention: low })).toBe('8%, batterij laag');
});

test('a marker shows the reason for attention in at most eleven letters, but the whole text of a move (53.24)', () => {
  for (const kind of ATTENTION_KINDS) {
    if (kind !== 'moved') expect(attentionAtMarker({ kind, words: 'x' }).length).toBeLessThanOrEqual(11);
  }
  const words = '12,4 km verplaatst, rijdt 45 km/u, 3 km van Amersfoort';
  expect(attentionAtMarker({ kind: 'moved', words })).toBe(words);
});

describe('a bubble (15.3a)', () => {
  const fleet: MapMachine[] = [
    ...Array.from({ length: 3 }, () => ({ ...MACHINE, status: 'running' as const })),
    ...Array.from({ length: 2 }, () => ({ ...MACHINE, status: 'charging' as const })),
    ...Array.from({ length: 7 }, () => MACHINE),
    { ...MACHINE, status: 'running', stale: true },
    { ...MACHINE, isLow: true },
    { ...MACHINE, attention: REASON },
  ];
  const shares = (members: number[]) =>
    countStateShares(
      { kind: 'cluster', lat: 52, lon: 5, count: members.length, first: 0, members, expandsAt: 9 },
      fleet,
    );
  const indexes = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

  test.each<[number[], string]>([
    [indexes(0, 12), '12 machines: 3 draaien, 2 laden, 7 uit'],
    [[0, 3], '2 machines: 1 draait, 1 laadt'],
    [[0, 1, 12, 13], '4 machines: 2 draaien, 1 uit, 1 stil, batterij laag: 1'],
    [[5, 99], '2 machines: 1 uit'],
    [[0, 14], '2 machines: 1 draait, 1 uit, aandacht: 1'],
  ])('a bubble of the machines %j has the label %s', (members, text) => {
    expect(clusterSharesText(members.length, shares(members))).toBe(text);
  });

  test('the ring of a bubble has the share of each state, white gaps, and stripes for silent machines', () => {
    expect(stateSharesRing(4, shares([0, 1, 3, 12]))).toBe(
      'conic-gradient(var(--status-running) 0.0deg 176.0deg, #fff 176.0deg 180.0deg, ' +
        'var(--status-charging) 180.0deg 266.0deg, #fff 266.0deg 270.0deg, ' +
        `${indexes(0, 8)
          .map((n) => {
            const [from, middle, to] = [270 + 12 * n, 276 + 12 * n, 282 + 12 * n].map((at) =>
              Math.min(356, at),
            );
            return `#343a40 ${from}.0deg ${middle}.0deg, #fff ${middle}.0deg ${to}.0deg, `;
          })
          .join('')}#fff 356.0deg 360.0deg)`,
    );
    expect(stateSharesRing(2, shares([5, 6]))).toBe('conic-gradient(var(--status-off) 0.0deg 360.0deg)');
  });
});
