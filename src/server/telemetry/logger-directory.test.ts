import { describe, expect, test } from 'vitest';
import { type Binding, bindingAt, type FormerDefinition, splitByDefinition } from './logger-directory.ts';

const BINDING: Binding = {
  writerId: 1,
  streamId: 2,
  organizationId: 3,
  formerOwners: [],
  definitionId: 9,
  from: 100,
  to: Number.POSITIVE_INFINITY,
};

describe('bindingAt returns the definition of the time (12.A13)', () => {
  test.each<
    [string, Partial<Binding>, FormerDefinition[], [time: number, definitionId: number | undefined][]]
  >([
    [
      'that never changed',
      {},
      [],
      [
        [100, 9],
        [5_000, 9],
      ],
    ],
    [
      'that changed once',
      {},
      [{ definitionId: 7, until: 200 }],
      [
        [100, 7],
        [199, 7],
        [200, 9],
      ],
    ],
    [
      'that changed twice',
      {},
      [
        { definitionId: 7, until: 200 },
        { definitionId: 8, until: 300 },
      ],
      [
        [199, 7],
        [200, 8],
        [299, 8],
        [300, 9],
      ],
    ],
    [
      'that has none any more',
      { definitionId: undefined },
      [{ definitionId: 7, until: 200 }],
      [
        [199, 7],
        [200, undefined],
      ],
    ],
    ['before its first reading', { from: 250 }, [{ definitionId: 7, until: 200 }], [[250, 9]]],
    [
      'after its end',
      { to: 150 },
      [{ definitionId: 7, until: 200 }],
      [
        [149, 7],
        [150, undefined],
      ],
    ],
    [
      'without a beginning',
      { from: Number.NEGATIVE_INFINITY },
      [{ definitionId: 7, until: 200 }],
      [
        [-1e15, 7],
        [200, 9],
      ],
    ],
  ])('bindingAt returns the definition of a binding %s (12.A13)', (_, changed, former, expected) => {
    const bindings = splitByDefinition({ ...BINDING, ...changed }, former);
    expect(expected.map(([time]) => [time, bindingAt(bindings, time)?.definitionId])).toEqual(expected);
  });
});
