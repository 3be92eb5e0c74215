import { expect, test } from 'vitest';
import { findDeletedBefore } from './restore-offer.tsx';

const one = (number: string, organization: string, obstacle?: string) => ({
  number,
  organization,
  obstacle,
  alias: `${number} van ${organization}`,
  deletedAt: '2026-01-05T11:00:00Z',
});
const DELETED = [
  one('K-1', 'ander'),
  one('K-1', 'eigen'),
  one('K-1', 'eigen'),
  one('K-2', 'eigen', 'vergeven'),
];

test.each([
  [{ number: 'K-1', organization: 'eigen' }, DELETED[1]],
  [{ number: ' k-1 ', organization: 'eigen' }, DELETED[1]],
  [{ number: 'K-1', organization: 'derde' }, undefined],
  [{ number: 'K-2', organization: 'eigen' }, undefined],
  [{ number: 'K-3', organization: 'eigen' }, undefined],
])('the deleted machine that can be restored for %j is %j (12.C4)', (wanted, found) => {
  expect(findDeletedBefore(DELETED, ({ number }) => number, wanted)).toBe(found);
});
