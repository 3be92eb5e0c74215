import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dm1State } from '#server/telemetry/decode/j1939/dm1-state.ts';
import { storeDm1 } from '#server/telemetry/dm1/dm1.store.ts';
import { Dm1DayBuilder } from '#server/telemetry/dm1/dm1-days.ts';
import type { AlertPreview } from '#shared/contract/alerts.ts';
import { defaultSettings } from '#shared/domain/alerts/kinds.ts';
import { AlertTestPortal, BEHEERDER_EMAIL, testMinuteMs } from './test/alert-desk.ts';

let d: AlertTestPortal;
beforeAll(async () => {
  d = await AlertTestPortal.open();
});
afterAll(() => d.close());
beforeEach(() => d.reset());

const OIL = { spn: 100, fmi: 1, isOldLayout: false, occurrences: 1 };
const HOT = { ...OIL, spn: 110, fmi: 0 };

/** Stores a DM1 message with these fault codes for each minute from `from` to `to`, both included. */
async function sends(
  streamId: number,
  from: number,
  to: number,
  codes: readonly (typeof OIL)[],
): Promise<void> {
  const sum = new Dm1DayBuilder();
  const state = dm1State({ lamps: [{ lamp: 'warning' }], codes });
  for (let minute = from; minute <= to; minute += 1)
    sum.add([{ time: testMinuteMs(minute), bus: 0, source: 0x21, state }]);
  await storeDm1(d.pool, streamId, sum.take());
}
const open = async () => (await d.alerts()).map(({ words, isNew }) => [words, isNew]).sort();

/** Evaluates the rules every 5 minutes until a minute: rules open no alert until evaluations have run for 10 minutes. */
const awake = async (until: number): Promise<void> => {
  for (let minute = 1; minute <= until; minute += 5) await d.evaluateClock(minute);
};

const OIL_WORDS = 'SPN 100, FMI 1: waarde veel te laag (ernstig); Waarschuwing (oranje); ECU 0x21 op can0';

test('a fault code in a log file has its own open alert until its ECU reports its end (42.54)', async () => {
  await d.rule('fault');
  const { streamId } = await d.machine();
  await awake(16);
  // The file arrives some minutes late.
  await sends(streamId, 5, 15, [OIL]);
  await d.evaluateClock(20);
  expect(await open()).toEqual([[OIL_WORDS, true]]);
  await sends(streamId, 16, 18, [OIL, HOT]);
  await d.evaluateClock(21);
  expect((await open()).map(([words]) => String(words).slice(0, 7))).toEqual(['SPN 100', 'SPN 110']);
  // A silent ECU resolves nothing.
  await d.evaluateClock(26);
  expect(await open()).toHaveLength(2);
  await sends(streamId, 22, 24, [HOT]);
  for (const minute of [27, 31]) await d.evaluateClock(minute);
  expect(await open()).toHaveLength(2);
  await d.evaluateClock(32);
  expect((await open()).map(([words]) => String(words).slice(0, 7))).toEqual(['SPN 110']);
  expect(await d.recorded(streamId)).toEqual(['fault 5-22', 'fault 16…']);
});

test('a log file of days ago opens no alert, and a fault of last night opens one when the rule begins (42.55)', async () => {
  const { streamId: old } = await d.machine();
  const { streamId: before } = await d.machine();
  await sends(before, -15 * 60, -14 * 60, [OIL]);
  d.setClock(1);
  await d.rule('fault');
  await awake(16);
  await sends(old, -49 * 60, -48 * 60, [OIL]);
  await d.evaluateClock(17);
  expect(await open()).toEqual([[OIL_WORDS, true]]);
  expect(await d.recorded(old)).toEqual([]);
});

test('the preview of a rule about fault codes finds the alerts that the rule would have opened (42.56)', async () => {
  const { streamId, serial } = await d.machine();
  await sends(streamId, -100, -90, [OIL]);
  await sends(streamId, -89, -85, []);
  await sends(streamId, -84, -80, [OIL]);
  await sends(streamId, -79, -79, []);
  const preview = async (settings: object) =>
    (
      await d.call<AlertPreview>('POST', '/api/alert-rule/preview', BEHEERDER_EMAIL, {
        kind: 'fault',
        settings: { ...defaultSettings('fault'), ...settings },
        hours: 'always',
        machines: { by: 'all' },
        isOwn: false,
      })
    ).json.alerts.map(({ machine, since, until, words }) => [machine?.serialNumber, since, until, words]);
  const iso = (minute: number) => new Date(testMinuteMs(minute)).toISOString();
  // The interruption is shorter than clearHold.
  expect(await preview({})).toEqual([[serial, iso(-100), iso(-79), OIL_WORDS]]);
  expect((await preview({ clearHold: 5 })).map(([, since]) => since).sort()).toEqual([iso(-100), iso(-84)]);
  expect(await preview({ hold: 60 })).toEqual([]);
});
