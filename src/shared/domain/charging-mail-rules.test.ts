import { expect, test } from 'vitest';
import {
  type ChargingEvent,
  type ChargingKind,
  type ChargingState,
  detectChargingEvents,
} from './charging-events.ts';
import { isSameEvent, type StoredChargingEvent, shouldMailChargingEvent } from './charging-mail-rules.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const ago = (minutes: number): number => NOW - minutes * 60_000;
const event = (kind: ChargingKind, knownAt: number, soc?: number): ChargingEvent => ({
  kind,
  from: knownAt - 120_000,
  knownAt,
  ...(soc !== undefined && { soc }),
  signals: {},
});
const known = (kind: ChargingKind, minutes: number, soc?: number, mailed = true): StoredChargingEvent => ({
  ...event(kind, ago(minutes), soc),
  mailed,
});

test.each<[string, ChargingEvent, StoredChargingEvent[], boolean]>([
  ['the first', event('started', NOW), [], true],
  ['known 12 hours ago', event('started', ago(720)), [], true],
  ['known longer ago', event('started', ago(721)), [], false],
  ['of last year', event('started', ago(525_600)), [], false],
  ['the same kind 59 minutes ago', event('started', NOW), [known('started', 59)], false],
  ['the same kind an hour ago', event('started', NOW), [known('started', 60)], true],
  ['the same kind, not mailed', event('started', NOW), [known('started', 10, undefined, false)], true],
  [
    'the same kind a little later, because of a late reading',
    event('started', ago(30)),
    [known('started', 0)],
    false,
  ],
  ['an end after a start', event('ended', NOW, 40), [known('started', 10)], true],
  ['an end after completing', event('ended', NOW, 99), [known('completed', 10, 99)], false],
  ['an end an hour after completing', event('ended', NOW, 99), [known('completed', 60, 99)], true],
  ['completing after an interruption', event('completed', NOW, 99), [known('ended', 40, 60)], true],
  [
    'completing right after an end near completion',
    event('completed', NOW, 99),
    [known('ended', 40, 97)],
    false,
  ],
  ['completing without a SoC', event('completed', NOW), [known('ended', 40)], false],
])(
  'shouldMailChargingEvent decides whether an event is mailed: %s (MAIL-01)',
  (_, about, others, expected) => {
    expect(shouldMailChargingEvent(about, others, NOW)).toBe(expected);
  },
);

const span = (kind: ChargingKind, from: number, to?: number) => ({
  kind,
  from,
  knownAt: to ?? from,
  ...(to !== undefined && { to }),
});
test.each<[string, ReturnType<typeof span>, ReturnType<typeof span>, boolean]>([
  ['itself', span('started', 10), span('started', 10), true],
  ['another kind', span('started', 10), span('ended', 10), false],
  ['inside the gap', span('started', ago(60), ago(10)), span('started', ago(30)), true],
  ['before the gap', span('started', ago(60), ago(10)), span('started', ago(63)), false],
  ['after the gap', span('started', ago(60), ago(10)), span('started', ago(7)), false],
  ['a little earlier', span('started', ago(60)), span('started', ago(61)), true],
  ['two gaps that touch', span('ended', ago(60), ago(10)), span('ended', ago(90), ago(50)), true],
])('isSameEvent recognizes the same event: %s (MAIL-01)', (_, a, b, expected) => {
  expect(isSameEvent(a, b)).toBe(expected);
  expect(isSameEvent(b, a)).toBe(expected);
});

test.each([3, 5, 7, 11, 20])(
  'charging that starts and stops every %i minutes for an hour gives two mails (MAIL-01)',
  (minutes) => {
    const readings = Array.from({ length: 360 }, (_, n) => {
      const on = Math.floor((n * 10) / 60 / minutes) % 2 === 1;
      const Soc1 = 98 + (n % 3);
      return {
        time: ago(60) + n * 10_000,
        signals: { IsCharging: 1, ChargingCurrent: on ? 1.1 : 0.9, Soc1 },
      };
    });
    const all: StoredChargingEvent[] = [];
    let state: ChargingState | undefined;
    for (const reading of readings) {
      const next = detectChargingEvents(state, reading);
      state = next.state;
      for (const found of next.events)
        all.push({ ...found, mailed: shouldMailChargingEvent(found, all, NOW) });
    }
    expect(all.filter(({ mailed }) => mailed)).toHaveLength(2);
  },
);
