import { describe, expect, test } from 'vitest';
import type { Binding } from './logger-directory.ts';
import { destinationOfQuarantined, readingDestinationOf } from './reading-destination.ts';

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
const described = ({ kind, binding }: ReturnType<typeof readingDestinationOf>): string =>
  binding ? `${kind} in ${binding.streamId}` : kind;

const keyOf = (writerId: number, replaceBy = Number.POSITIVE_INFINITY) => ({
  writerId,
  loggerSerial: '0001234',
  replaceBy,
  createdAt: 0,
});

/** Returns bindings to stream 10 until 1000, to none until 2000, to stream 20 until 3000, and to stream 30 since. */
const bindings = (first: number, second: number, present: number): Binding[] => [
  binding(1, Number.NEGATIVE_INFINITY, 1000, first),
  binding(2, 2000, 3000, second),
  binding(3, 3000, Number.POSITIVE_INFINITY, present),
];

describe('the destination of a reading (12.B6, INGEST-06)', () => {
  test.each([
    ['its machines are of one organization', bindings(OURS, OURS, OURS), 'stored', 'stored', 'stored'],
    [
      'the first one belongs to another organization now',
      bindings(THEIRS, OURS, OURS),
      'quarantined',
      'stored',
      'stored',
    ],
    [
      'the previous one belongs to another organization now',
      bindings(OURS, THEIRS, OURS),
      'stored',
      'quarantined',
      'stored',
    ],
    [
      'all earlier ones belong to another organization now',
      bindings(THEIRS, THEIRS, OURS),
      'quarantined',
      'quarantined',
      'stored',
    ],
    [
      'all of them went to the same other organization',
      bindings(THEIRS, THEIRS, THEIRS),
      'stored',
      'stored',
      'stored',
    ],
    ['they belong to three organizations', bindings(THEIRS, 3, OURS), 'quarantined', 'quarantined', 'stored'],
  ])('the destination of a reading depends on later owners: %s (12.B6)', (_, all, first, second, present) => {
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
      expect([time, described(readingDestinationOf(all, time, keyOf(3), 0))]).toEqual([time, expected]);
  });

  test('readings go to quarantine if they come with a key whose binding ended or was deleted (12.B6)', () => {
    const all = bindings(OURS, THEIRS, OURS);
    expect(described(readingDestinationOf(all, 2500, keyOf(2), 0))).toBe('stored in 20');
    expect(described(readingDestinationOf(all, 3500, keyOf(2), 0))).toBe('quarantined in 30');
    for (const time of [500, 2500, 3500])
      expect(described(readingDestinationOf(all, time, keyOf(9), 0))).toMatch(/^quarantined/);
    expect(described(readingDestinationOf([], 500, keyOf(9), 0))).toBe('unbound');
  });

  test.each([
    [499, 'left out'],
    [500, 'stored in 10'],
    [999, 'stored in 10'],
    [1000, 'unbound'],
    [2000, 'stored in 20'],
    [2500, 'stored in 20'],
    [2501, 'left out'],
  ])('adopting a reading of time %i stores it in the binding of its time (12.B6)', (time, goes) => {
    const range = { from: 500, to: 2500 };
    expect(described(destinationOfQuarantined(bindings(THEIRS, THEIRS, OURS), time, range))).toBe(goes);
  });
});

test('readings uploaded with an access key after the date by which it had to be replaced go to quarantine (INGEST-06)', () => {
  const all = bindings(OURS, OURS, OURS);
  for (const time of [500, 2500, 3500]) {
    expect(readingDestinationOf(all, time, keyOf(3, 10_000), 9_999).kind).toBe('stored');
    expect(readingDestinationOf(all, time, keyOf(3, 10_000), 10_000)).toMatchObject({
      kind: 'quarantined',
      reason: { kind: 'former-owners-key' },
    });
  }
  expect(readingDestinationOf(all, 1500, keyOf(3, 10_000), 10_000).kind).toBe('unbound');
});

describe('the destination of a reading dated in a former owner’s time (INGEST-06, 41.5)', () => {
  /** A stream that organization THEIRS sold to organization 3 at time 1000, and that organization 3 sold to OURS at time 2000. */
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
    ['at the first sale', 1000, 'quarantined', 'stored'],
    ['between the sales', 1500, 'quarantined', 'stored'],
    ['at the second sale', 2000, 'quarantined', 'quarantined'],
    ['after the sales', 2500, 'quarantined', 'quarantined'],
  ])('the destination of a reading depends on when its key was made: %s', (_, createdAt, first, second) => {
    const going = (time: number, key: object = {}) =>
      readingDestinationOf(sold, time, { ...keyOf(1), createdAt, ...key }, 3000).kind;
    expect([999, 1000, 1999, 2000].map((time) => going(time))).toEqual([first, second, second, 'stored']);
    expect(going(500, { replaceBy: 4000 })).toBe(first);
  });

  test('readings from the earlier ownership of an organization that bought its machine back are stored', () => {
    const back = sold.map((one) => ({ ...one, organizationId: THEIRS }));
    const going = (time: number) =>
      readingDestinationOf(back, time, { ...keyOf(1), createdAt: 2500 }, 3000).kind;
    expect([going(500), going(1500), going(2500)]).toEqual(['stored', 'quarantined', 'stored']);
  });
});

test('a reading that another logger recorded is quarantined, whatever its time (43.14)', () => {
  const all = bindings(OURS, OURS, OURS);
  for (const time of [500, 2500, 3500])
    expect(readingDestinationOf(all, time, keyOf(3), 0, '0009999')).toMatchObject({
      kind: 'quarantined',
      reason: { kind: 'other-logger', recorder: '0009999', signer: '0001234' },
    });
  expect(readingDestinationOf(all, 3500, keyOf(3), 0, '0001234').kind).toBe('stored');
  expect(readingDestinationOf(all, 1500, keyOf(3), 0, '0009999').kind).toBe('unbound');
  expect(readingDestinationOf(all, 3500, keyOf(3, 0), 0, '0009999')).toMatchObject({
    reason: { kind: 'former-owners-key' },
  });
});
