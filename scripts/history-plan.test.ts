import { expect, test } from 'vitest';
import { BUCKET_MS, bucketCount } from '#server/demo/history-gaps.ts';
import {
  compareFillOrder,
  type DemoStream,
  type DemoWindow,
  demoWindows,
  offlineWindows,
} from './history-plan.ts';

const NOW = Date.parse('2026-11-21T10:03:20Z');
const HOUR = 3_600_000;
const machine: DemoStream = { streamId: 1, loggerSerial: '0012345', silent: false };
const silent: DemoStream = { streamId: 2, loggerSerial: '2211400', silent: true };
const dumper: DemoStream = { streamId: 3, loggerSerial: '0090412', silent: false };
const offline: DemoStream = { streamId: 5, loggerSerial: '2251014', silent: false };
const lmb: DemoStream = { streamId: 4, loggerSerial: '0731004', silent: false };

const windowsOf = (stream: DemoStream, now = NOW) => windowTexts(demoWindows([stream], now));
const windowTexts = (windows: readonly DemoWindow[]) =>
  windows.map(({ from, to, intervalMs, cut }) =>
    [
      new Date(from).toISOString().slice(0, 16),
      new Date(to).toISOString().slice(0, 16),
      intervalMs,
      cut,
    ].join(' '),
  );

test.each([
  ['a machine has 30 days up to now', machine, ['2026-10-22T00:00 2026-11-21T10:03 60000 readings']],
  [
    'the history of the silent logger ends where it fell silent',
    silent,
    ['2026-10-22T00:00 2026-11-19T15:40 60000 readings'],
  ],
  [
    'one make has yesterday in log files, at a reading per 5 s',
    dumper,
    [
      '2026-10-22T00:00 2026-11-20T00:00 60000 readings',
      '2026-11-20T00:00 2026-11-21T00:00 5000 hours',
      '2026-11-21T00:00 2026-11-21T10:03 60000 readings',
    ],
  ],
  [
    'the machine whose logger had no network lacks yesterday',
    offline,
    ['2026-10-22T00:00 2026-11-20T00:00 60000 readings', '2026-11-21T00:00 2026-11-21T10:03 60000 readings'],
  ],
  [
    'an LMB logger has today, and 12 April 2025 from 08:00 to 20:00, at a reading per 10 s',
    lmb,
    [
      '2026-10-22T00:00 2026-11-20T23:00 60000 readings',
      '2026-11-20T23:00 2026-11-21T10:03 10000 readings',
      '2025-04-12T06:00 2025-04-12T18:00 10000 readings',
    ],
  ],
])('the demo history has the right windows: %s (43.9)', (_, stream, windows) => {
  expect(windowsOf(stream)).toEqual(windows);
});

test('the demo’s logger without network delivers its log of yesterday in files of an hour (43.9)', () => {
  expect(windowTexts(offlineWindows([machine, dumper, offline, lmb], NOW))).toEqual([
    '2026-11-20T00:00 2026-11-21T00:00 2000 hours',
  ]);
});

test('the windows of a demo history start at a bucket and follow each other without a gap, at any hour and season', () => {
  for (
    let now = Date.parse('2026-03-20T00:00:07Z');
    now < Date.parse('2026-11-05T00:00:00Z');
    now += 7 * HOUR
  ) {
    for (const stream of [machine, silent, dumper, lmb]) {
      const windows = demoWindows([stream], now).filter(({ to }) => to > now - 40 * 24 * HOUR);
      for (const [n, window] of windows.entries()) {
        expect(window.from % BUCKET_MS).toBe(0);
        expect(window.to).toBeLessThanOrEqual(now);
        if (n > 0) expect(window.from).toBe(windows[n - 1]!.to);
      }
      const buckets = windows.reduce((sum, window) => sum + bucketCount(window), 0);
      // At least 26 of the 30 days for the logger that has become silent, 29 for the others, less half a day; a bucket is 5 minutes.
      expect(buckets).toBeGreaterThan(((stream === silent ? 26 : 29) * 24 - 12) * 12);
    }
  }
});

test('a clock that jumps by an hour does not move the begin of a machine’s history', () => {
  const begins = (now: number) => windowsOf(machine, now)[0]!.slice(0, 16);
  for (const jump of [-HOUR, HOUR]) expect(begins(NOW + jump)).toBe(begins(NOW));
});

test('the example day of the LMB logger is filled first, then the newest day', () => {
  const at = (text: string) => ({ from: Date.parse(text) });
  const sorted = [at('2026-11-01Z'), at('2026-11-20Z'), at('2025-04-12T06:00Z'), at('2026-11-19Z')].sort(
    compareFillOrder,
  );
  expect(sorted.map(({ from }) => new Date(from).toISOString().slice(0, 10))).toEqual([
    '2025-04-12',
    '2026-11-20',
    '2026-11-19',
    '2026-11-01',
  ]);
});
