import { expect, test } from 'vitest';
import {
  type DeliveryState,
  deliveryOutcomeOf,
  deliveryText,
  isDeliveryTooOld,
  nextRetryAt,
  webhookText,
} from './webhooks.ts';

const S = 1_000;
const HOUR = 3_600 * S;

test.each([
  [1, 0, 30 * S],
  [2, 30 * S, 90 * S],
  [5, 0, 480 * S],
  [11, 0, 30_720 * S],
  // The last attempt is at the end of the 24 hours, however long the delay would be.
  [12, 17 * HOUR, 24 * HOUR],
  [40, 24 * HOUR - 1, 24 * HOUR],
  [13, 24 * HOUR, undefined],
  [1, 25 * HOUR, undefined],
])('after try %i at %i ms the next try is at %s (16.5m)', (tries, now, next) => {
  expect(nextRetryAt(0, tries, now)).toBe(next);
});

test('a message that the receiver never accepts is sent 13 times in 24 hours (16.5m)', () => {
  let tries = 0;
  let at: number | undefined = 0;
  while (at !== undefined) {
    tries += 1;
    at = nextRetryAt(0, tries, at);
  }
  expect(tries).toBe(13);
});

test.each([
  [24 * HOUR, false],
  [25 * HOUR, false],
  [25 * HOUR + 1, true],
])('a message is too late %i ms after it was queued: %s (16.5m)', (now, late) => {
  expect(isDeliveryTooOld(0, now)).toBe(late);
});

test.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [301, 'failed'],
  [404, 'failed'],
  [410, 'gone'],
  [429, 'failed'],
  [500, 'failed'],
])('an answer with the status %i counts as %s (16.5m)', (status, outcome) => {
  expect(deliveryOutcomeOf(status)).toBe(outcome);
});

const state = (more: Partial<DeliveryState>): DeliveryState => ({
  status: null,
  failure: null,
  tries: 1,
  isWaiting: false,
  ...more,
});
test.each([
  [state({ status: 204 }), 'Aangekomen'],
  [state({ tries: 0, isWaiting: true }), 'Wordt verstuurd'],
  [state({ status: 500, isWaiting: true }), 'Mislukt (500), wordt opnieuw geprobeerd'],
  [
    state({ failure: 'slow', isWaiting: true }),
    'Mislukt (geen antwoord binnen 10 seconden), wordt opnieuw geprobeerd',
  ],
  [state({ failure: 'unreachable', tries: 13 }), 'Opgegeven na 13 keer (niet bereikbaar)'],
  [state({ status: 410 }), 'Opgegeven na 1 keer (410)'],
  [state({ failure: 'off', tries: 3, status: 500 }), 'Niet verstuurd (webhook uitgezet)'],
  [state({ failure: 'late', tries: 0 }), 'Niet verstuurd (te laat)'],
])('the delivery state %j is described as %s (16.5m)', (given, words) => {
  expect(deliveryText(given)).toBe(words);
});

const MORNING = '2026-11-23T07:00:00.000Z';
const NOON = '2026-11-23T11:00:00.000Z';
test.each([
  [{ isOn: false, isGone: false, arrivedAt: MORNING, failingSince: NOON }, 'Uit'],
  [
    { isOn: false, isGone: true, arrivedAt: null, failingSince: NOON },
    'Uit: het adres zei dat het er niet meer is (410)',
  ],
  [{ isOn: true, isGone: false, arrivedAt: null, failingSince: null }, 'Nog niets aangekomen'],
  [
    { isOn: true, isGone: false, arrivedAt: MORNING, failingSince: null },
    'Werkt, laatst aangekomen op 23-11-26, 08:00',
  ],
  [{ isOn: true, isGone: false, arrivedAt: MORNING, failingSince: NOON }, 'Mislukt sinds 23-11-26, 12:00'],
])('the webhook %j is described as %s (16.5u)', (given, words) => {
  expect(webhookText(given)).toBe(words);
});
