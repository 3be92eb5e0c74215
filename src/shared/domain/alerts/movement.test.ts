import { expect, test } from 'vitest';
import { scopeOf } from '../access.ts';
import { DEFAULT_PRIVACY, type Privacy } from '../privacy.ts';
import { ALERT_KIND_NAMES } from './kinds.ts';
import { isMovementKind, visibleMovement } from './movement.ts';

const scope = (role: 'beheerder' | 'gebruiker' | 'kijker', privacy: Partial<Privacy> = {}) =>
  scopeOf({
    organizationId: 1,
    organization: 'klant',
    isLmbCustomer: false,
    role,
    privacy: { ...DEFAULT_PRIVACY, ...privacy },
    limit: null,
  });
const HOURS = { viewerHours: { days: [1, 2, 3, 4, 5], from: '07:00', to: '17:00' } };
/** Returns the time in ms of a wall clock time in November 2026; the 20th is a Friday. */
const on = (day: number, clock: string) => Date.parse(`2026-11-${day}T${clock}:00+01:00`);
const NOW = on(24, '12:00');

test('movements are arrivals, departures and moves outside working hours (13.12d)', () => {
  expect(ALERT_KIND_NAMES.filter(isMovementKind)).toEqual(['moved', 'arrived', 'left']);
});

test.each<[string, Parameters<typeof scope>, [since: number, at: number, until?: number], unknown]>([
  ['to a kijker without hours', ['kijker'], [on(20, '22:00'), on(20, '22:01')], {}],
  ['to a kijker inside the hours', ['kijker', HOURS], [on(20, '07:00'), on(20, '07:05')], {}],
  [
    'not to a kijker when it begins outside the hours',
    ['kijker', HOURS],
    [on(20, '06:59'), on(20, '07:05')],
    undefined,
  ],
  [
    'not to a kijker when it has held outside the hours',
    ['kijker', HOURS],
    [on(20, '16:59'), on(20, '17:00')],
    undefined,
  ],
  [
    'with its end inside the hours',
    ['kijker', HOURS],
    [on(20, '08:00'), on(20, '08:00'), on(20, '09:00')],
    {},
  ],
  [
    'with the next hours as its end, when it ends outside them',
    ['kijker', HOURS],
    [on(20, '08:00'), on(20, '08:00'), on(20, '20:00')],
    { until: on(23, '07:00') },
  ],
  [
    'as open, when the hours after its end have not begun',
    ['kijker', HOURS],
    [on(24, '08:00'), on(24, '08:00'), on(24, '12:30')],
    { until: undefined },
  ],
  [
    'to a gebruiker at any time',
    ['gebruiker', HOURS],
    [on(20, '22:00'), on(20, '22:00'), on(21, '03:00')],
    {},
  ],
  [
    'not to a gebruiker who sees no routes',
    ['gebruiker', { routesFrom: 'beheerder' }],
    [on(20, '08:00'), on(20, '08:00')],
    undefined,
  ],
  // A webhook receives the movements that a beheerder may see, because beheerders create webhooks; this case covers both.
  [
    'to a beheerder whatever the organization decides',
    ['beheerder', { ...HOURS, routesFrom: 'beheerder' }],
    [on(20, '22:00'), on(20, '22:00'), on(21, '03:00')],
    {},
  ],
])('the alert about a movement is shown %s (13.12d)', (_, who, [since, at, until], expected) => {
  const movement = { since, at, ...(until !== undefined && { until }) };
  expect(visibleMovement(scope(...who), movement, NOW)).toEqual(
    expected === undefined ? undefined : { ...movement, ...(expected as object) },
  );
});
