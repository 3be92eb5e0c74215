import { describe, expect, test } from 'vitest';
import { dutchFindingText } from '#shared/domain/delivery-findings/delivery-findings.ts';
import { decodeSnapshot } from './snapshot.ts';

const NOW = Date.UTC(2026, 2, 1, 12, 0, 0);
const SECONDS = NOW / 1000;
const decode = (value: unknown) => decodeSnapshot(Buffer.from(JSON.stringify(value)), NOW);
const reasonOf = (value: unknown): string | undefined => {
  const decoded = decode(value);
  return decoded.ok ? undefined : dutchFindingText(decoded.reason);
};

test('a snapshot is one reading: numbers by name, with the time separate from them (INGEST-01)', () => {
  const values = {
    RTC_UNIX: SECONDS,
    LATITUDE: 52.0907,
    LONGITUDE: 5.1214,
    Soc1: 87.5,
    IsCharging1: 0,
    'Temp °C': -3,
  };
  const { RTC_UNIX: _, ...signals } = values;
  expect(decode(values)).toEqual({ ok: true, reading: { time: NOW, signals }, skipped: 0, isFrozen: false });
});

describe('the time of a snapshot is GMT_UNIX, or else DATETIME, or else RTC_UNIX, in seconds (INGEST-01)', () => {
  test.each([
    [{ GMT_UNIX: SECONDS, DATETIME: 1, RTC_UNIX: 2 }, NOW],
    [{ DATETIME: SECONDS, RTC_UNIX: 2 }, NOW],
    [{ RTC_UNIX: SECONDS }, NOW],
    [{ GMT_UNIX: null, DATETIME: 'x', RTC_UNIX: SECONDS }, NOW],
    [{ GMT_UNIX: `${SECONDS}`, RTC_UNIX: SECONDS - 5 }, NOW - 5000],
    [{ GMT_UNIX: 0, RTC_UNIX: SECONDS }, NOW],
    [{ GMT_UNIX: SECONDS + 0.25 }, NOW + 250],
    [{ GMT_UNIX: SECONDS + 600 }, NOW + 600_000],
    [{ GMT_UNIX: 1420070400 }, Date.UTC(2015, 0, 1)],
  ])('a snapshot has the time of its first valid clock: %j', (values, time) => {
    expect(decode({ ...values, A: 1 })).toMatchObject({ ok: true, reading: { time, signals: { A: 1 } } });
  });
});

describe('a snapshot without a reading (INGEST-03)', () => {
  test.each([
    ['no time', { A: 1 }, 'geen tijd'],
    ['a time in another spelling', { gmt_unix: SECONDS }, 'geen tijd'],
    ['1970', { GMT_UNIX: 1000 }, 'voor 2015 (GMT_UNIX zegt 01-01-1970'],
    ['no time but 0', { GMT_UNIX: 0, RTC_UNIX: 0 }, 'voor 2015'],
    ['just before 2015', { GMT_UNIX: 1420070399.9 }, 'voor 2015'],
    ['2099', { GMT_UNIX: 4070908800 }, 'toekomst'],
    ['11 minutes ahead', { GMT_UNIX: SECONDS + 660 }, 'toekomst'],
    ['milliseconds', { GMT_UNIX: NOW }, 'toekomst'],
    ['a list', [1], 'geen JSON-object'],
    ['a number', 5, 'geen JSON-object'],
    ['null', null, 'geen JSON-object'],
  ])('a snapshot is rejected with a reason: %s', (_, value, reason) => {
    expect(reasonOf(value)).toContain(reason);
  });

  test.each([
    ['nothing', ''],
    ['half an object', `{"GMT_UNIX":${SECONDS},"A":`],
    ['a word that is no value', `{"GMT_UNIX":${SECONDS},"A":nanana}`],
    ['NaN in a snapshot of 100 kB', `{"GMT_UNIX":${SECONDS},"A":NaN,"B":"${'x'.repeat(100_000)}"}`],
    ['a tower of brackets', '['.repeat(500_000)],
    ['a time on the prototype', `{"__proto__":{"GMT_UNIX":${SECONDS}}}`],
  ])('a snapshot is rejected: %s', (_, text) => {
    expect(decodeSnapshot(Buffer.from(text), NOW).ok).toBe(false);
  });
});

describe('values that are no finite number (INGEST-03)', () => {
  test.each([
    ['text, null, true, nested', '"a":"5","b":null,"c":true,"d":{"x":1},"e":[1]', {}, 5],
    ['a number too large', '"a":1e999,"b":2', { b: 2 }, 1],
    ['an empty name', '"":1,"b":2', { b: 2 }, 1],
    [
      'a name of 64 characters and one of 65',
      `"${'x'.repeat(64)}":1,"${'y'.repeat(65)}":2`,
      { ['x'.repeat(64)]: 1 },
      1,
    ],
    ['control characters', '"a\\u0000b":1,"c\\nd":2,"\\ud800":3,"\\u202e":4,"e":5', { e: 5 }, 4],
    ['names of every object', '"toString":1,"constructor":2', { toString: 1, constructor: 2 }, 0],
    ['another time that is text', '"DATETIME":"x"', {}, 1],
    ['no signal at all', '"RTC_UNIX":0', {}, 0],
    [
      'nan as C, Python and JavaScript write it (52.1)',
      '"a":nan,"b":NaN,"c":-Infinity,"d":inf,"e":5',
      { e: 5 },
      4,
    ],
    ['nan in a name (52.1)', '"a nan":1,"q\\"nan":2,"x":NaN', { 'a nan': 1, 'q"nan': 2 }, 1],
  ])(
    'values of a snapshot that are no finite number are left out and counted, and the others kept: %s',
    (_, text, signals, skipped) => {
      const decoded = decodeSnapshot(Buffer.from(`{"GMT_UNIX":${SECONDS},${text}}`), NOW);
      expect(decoded).toEqual({ ok: true, reading: { time: NOW, signals }, skipped, isFrozen: false });
    },
  );

  test('a value named __proto__ in a snapshot is skipped, and changes no object', () => {
    const decoded = decodeSnapshot(Buffer.from(`{"GMT_UNIX":${SECONDS},"__proto__":5,"b":2}`), NOW);
    expect(decoded).toMatchObject({ ok: true, skipped: 1 });
    expect(Object.getPrototypeOf(decoded.ok && decoded.reading.signals)).toBe(Object.prototype);
  });

  test('a snapshot is read with a byte order mark as without one', () => {
    expect(decodeSnapshot(Buffer.from(`\uFEFF{"GMT_UNIX":${SECONDS}}`), NOW).ok).toBe(true);
  });

  test.each([
    [400, 400, 0],
    [999, 999, 0],
    [5000, 999, 4001],
  ])('of %i signals in a snapshot, %i are kept', (count, kept, skipped) => {
    const signals = Object.fromEntries(Array.from({ length: count }, (_, i) => [`Signal${i}`, i]));
    const decoded = decode({ GMT_UNIX: SECONDS, ...signals });
    expect(decoded).toMatchObject({ ok: true, skipped });
    expect(Object.keys(decoded.ok ? decoded.reading.signals : {})).toHaveLength(kept);
  });
});

describe('the clock of a snapshot is the first one whose time may be stored (52.4)', () => {
  const EPOCH = 1024 * 7 * 86_400;
  test.each([
    [{ GMT_UNIX: 315_964_800 }, 'de klok GMT_UNIX loopt 16.857 dagen achter op RTC_UNIX'],
    [
      { GMT_UNIX: SECONDS - EPOCH },
      'de klok GMT_UNIX loopt 1.024 weken achter op RTC_UNIX (het weeknummer van GPS is opnieuw begonnen)',
    ],
    [{ GMT_UNIX: SECONDS + 9 * 86_400 }, 'de klok GMT_UNIX loopt 9 dagen voor op RTC_UNIX'],
    [{ GMT_UNIX: SECONDS + 1200 }, 'de klok GMT_UNIX loopt 1.200 s voor op RTC_UNIX'],
    [{ GMT_UNIX: 1e300 }, expect.stringMatching(/^de klok GMT_UNIX loopt .* dagen voor op RTC_UNIX$/)],
    [{ GMT_UNIX: SECONDS }, undefined],
    [{ GMT_UNIX: 0 }, undefined],
  ])(
    'a clock %j of a snapshot next to a correct RTC_UNIX is reported if it is wrong',
    (clocks, wrongClock) => {
      const decoded = decode({ ...clocks, RTC_UNIX: SECONDS, A: 1 });
      expect(decoded).toMatchObject({ ok: true, reading: { time: NOW, signals: { A: 1 } } });
      expect(decoded.ok && decoded.wrongClock && dutchFindingText(decoded.wrongClock)).toEqual(wrongClock);
    },
  );

  test.each([
    [{ RTC_UNIX: 315_964_800 }, 'ligt voor 2015 (RTC_UNIX zegt 06-01-1980).'],
    [
      { RTC_UNIX: SECONDS - EPOCH - 60 },
      'ligt voor 2015 (1.024 weken achter: het weeknummer van GPS is opnieuw begonnen)',
    ],
    [{ RTC_UNIX: SECONDS + 9 * 86_400 }, 'in de toekomst (RTC_UNIX zegt 10-03-2026, 9 dagen voor).'],
    [{ RTC_UNIX: 1e300 }, 'in de toekomst (RTC_UNIX zegt geen tijd'],
    [{ RTC_UNIX: 0 }, 'ligt voor 2015 (RTC_UNIX is 0).'],
    [{ GMT_UNIX: 5, RTC_UNIX: 7 }, 'ligt voor 2015 (GMT_UNIX zegt 01-01-1970).'],
  ])('a snapshot with only the clock %j is rejected with the reason', (clocks, reason) => {
    expect(reasonOf({ ...clocks, A: 1 })).toContain(reason);
  });
});
