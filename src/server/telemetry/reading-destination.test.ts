import { describe, expect, test } from 'vitest';
import type { Binding } from './logger-directory.ts';
import { destinationOf, destinationOfHeld, FORMER_OWNERS_KEY } from './reading-destination.ts';

const [OURS, THEIRS] = [1, 2];
const binding = (writerId: number, from: number, to: number, organizationId: number): Binding => ({
  writerId,
  streamId: 10 * writerId,
  organizationId,
  formerOwners: [],
  definitionId: undefined,
  from,
  to,
});
const said = ({ kind, binding }: ReturnType<typeof destinationOf>): string =>
  binding ? `${kind} in ${binding.streamId}` : kind;

const keyOf = (writerId: number, replaceBy = Number.POSITIVE_INFINITY) => ({
  writerId,
  loggerSerial: '0001234',
  replaceBy,
  createdAt: 0,
});

/** Bound to stream 10 up to 1000, to nothing up to 2000, to stream 20 up to 3000, and since then to stream 30. */
const bindings = (first: number, second: number, present: number): Binding[] => [
  binding(1, Number.NEGATIVE_INFINITY, 1000, first),
  binding(2, 2000, 3000, second),
  binding(3, 3000, Number.POSITIVE_INFINITY, present),
];

describe('where a reading goes (12.B6, INGEST-06)', () => {
  test.each([
    ['its machines are of one organization', bindings(OURS, OURS, OURS), 'stored', 'stored', 'stored'],
    ['the first one is another’s now', bindings(THEIRS, OURS, OURS), 'held', 'stored', 'stored'],
    ['the one before is another’s now', bindings(OURS, THEIRS, OURS), 'stored', 'held', 'stored'],
    ['all of before are another’s now', bindings(THEIRS, THEIRS, OURS), 'held', 'held', 'stored'],
    ['they all went to another with it', bindings(THEIRS, THEIRS, THEIRS), 'stored', 'stored', 'stored'],
    ['they are of three organizations', bindings(THEIRS, 3, OURS), 'held', 'held', 'stored'],
  ])('%s (12.B6)', (_, all, first, second, present) => {
    for (const [time, expected] of [
      [-1e15, `${first} in 10`],
      [999, `${first} in 10`],
      [1000, 'unbound'],
      [1999, 'unbound'],
      [2000, `${second} in 20`],
      [2999, `${second} in 20`],
      [3000, `${present} in 30`],
      [1e15, `${present} in 30`],
    ] as const)
      expect([time, said(destinationOf(all, time, keyOf(3), 0))]).toEqual([time, expected]);
  });

  test('a key of a binding that ended, or was removed, is no present owner’s (12.B6)', () => {
    const all = bindings(OURS, THEIRS, OURS);
    expect(said(destinationOf(all, 2500, keyOf(2), 0))).toBe('stored in 20');
    expect(said(destinationOf(all, 3500, keyOf(2), 0))).toBe('held in 30');
    for (const time of [500, 2500, 3500])
      expect(said(destinationOf(all, time, keyOf(9), 0))).toMatch(/^held/);
    expect(said(destinationOf([], 500, keyOf(9), 0))).toBe('unbound');
  });

  test.each([
    [499, 'left out'],
    [500, 'stored in 10'],
    [999, 'stored in 10'],
    [1000, 'unbound'],
    [2000, 'stored in 20'],
    [2500, 'stored in 20'],
    [2501, 'left out'],
  ])(
    'taken over are the readings that were held, each into the machine of its time: %i (12.B6)',
    (time, goes) => {
      const held = { from: 500, to: 2500 };
      expect(said(destinationOfHeld(bindings(THEIRS, THEIRS, OURS), time, held))).toBe(goes);
    },
  );
});

test('holds every reading that comes with a key that should have been replaced by then (INGEST-06)', () => {
  const all = bindings(OURS, OURS, OURS);
  for (const time of [500, 2500, 3500]) {
    expect(destinationOf(all, time, keyOf(3, 10_000), 9_999).kind).toBe('stored');
    expect(destinationOf(all, time, keyOf(3, 10_000), 10_000)).toMatchObject({
      kind: 'held',
      reason: FORMER_OWNERS_KEY,
    });
  }
  expect(destinationOf(all, 1500, keyOf(3, 10_000), 10_000).kind).toBe('unbound');
});

describe('the destination of a reading dated in a former owner’s time (INGEST-06, 41.5)', () => {
  /** Sold by THEIRS to 3 at 1000, and by 3 to OURS at 2000. */
  const sold: Binding[] = [
    {
      ...binding(1, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, OURS),
      formerOwners: [
        { organizationId: THEIRS, until: 1000 },
        { organizationId: 3, until: 2000 },
      ],
    },
  ];
  test.each([
    ['before the first sale', 500, 'stored', 'stored'],
    ['at the first sale', 1000, 'held', 'stored'],
    ['between the sales', 1500, 'held', 'stored'],
    ['at the second sale', 2000, 'held', 'held'],
    ['after the sales', 2500, 'held', 'held'],
  ])('a key made %s', (_, createdAt, first, second) => {
    const going = (time: number, key: object = {}) =>
      destinationOf(sold, time, { ...keyOf(1), createdAt, ...key }, 3000).kind;
    expect([999, 1000, 1999, 2000].map((time) => going(time))).toEqual([first, second, second, 'stored']);
    expect(going(500, { replaceBy: 4000 })).toBe(first);
  });

  test('an organization that got its machine back writes into its own earlier time', () => {
    const back = sold.map((one) => ({ ...one, organizationId: THEIRS }));
    const going = (time: number) => destinationOf(back, time, { ...keyOf(1), createdAt: 2500 }, 3000).kind;
    expect([going(500), going(1500), going(2500)]).toEqual(['stored', 'held', 'stored']);
  });
});

test('a reading that another logger recorded is held, whatever its time (43.14)', () => {
  const all = bindings(OURS, OURS, OURS);
  for (const time of [500, 2500, 3500])
    expect(destinationOf(all, time, keyOf(3), 0, '0009999')).toMatchObject({
      kind: 'held',
      reason: 'van logger 0009999, met de sleutel van logger 0001234',
    });
  expect(destinationOf(all, 3500, keyOf(3), 0, '0001234').kind).toBe('stored');
  expect(destinationOf(all, 1500, keyOf(3), 0, '0009999').kind).toBe('unbound');
  expect(destinationOf(all, 3500, keyOf(3, 0), 0, '0009999')).toMatchObject({ reason: FORMER_OWNERS_KEY });
});
