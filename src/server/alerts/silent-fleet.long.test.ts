import { afterAll, beforeAll, expect, test } from 'vitest';
import { inEachShard } from '#server/test/shards-as-one.ts';
import type { Alerts } from '#shared/contract/alerts.ts';
import { isOperatorKind, OFFERED_ALERT_KINDS } from '#shared/domain/alerts/kinds.ts';
import { AlertTestPortal, BEHEERDER_EMAIL, testMinuteMs } from './test/alert-desk.ts';

const MACHINES = 1_000;
/** Limits of one evaluation run and one answer; each takes a tenth of its limit on a quiet machine. */
const MAX_RUN_MS = 30_000;
const MAX_ANSWER_MS = 3_000;

/** Minutes from START, a Friday at 14:00, to Monday at 06:50. */
const MONDAY = 3 * 1_440 - 430;
/** Maximum length of a mail in characters: it describes 50 alerts at most. */
const MAX_MAIL_CHARACTERS = 40_000;

let d: AlertTestPortal;
beforeAll(async () => {
  d = await AlertTestPortal.open();
});
afterAll(() => d.close());

test('1,000 machines that fall silent under rules of all kinds give one mail, and the list of alerts still loads (53.16)', async () => {
  await d.reset();
  const kinds = OFFERED_ALERT_KINDS.filter((kind) => !isOperatorKind(kind));
  for (const kind of kinds) await d.rule(kind);
  for (let n = 0; n < MACHINES; n += 1) {
    const { streamId } = await d.desk.machine();
    await d.desk.store(streamId, [
      { time: testMinuteMs(-1), signals: { Soc1: 80, LATITUDE: 52 + n / 10_000, LONGITUDE: 5 } },
    ]);
  }
  await d.pool.query(
    `with made as (
       insert into contact (organization_id, name, telephone, note, seen_from) values ($1, 'Kantoor', '085-0123456', '', 'kijker')
       returning id, organization_id)
     insert into contact_use (organization_id, contact_id) select organization_id, id from made`,
    [d.desk.klant],
  );
  await d.evaluate(0);
  // All machines fall silent within eight minutes, as when a network fails.
  await inEachShard(
    d.pool,
    `update telemetry.latest set updated_at = $1::timestamptz + (stream_id % 8) * interval '1 minute'`,
    [new Date(testMinuteMs(0))],
  );
  let longestMs = 0;
  for (let minute = 1_420; minute <= 1_456; minute += 1) {
    const started = performance.now();
    await d.evaluateClock(minute);
    await d.notify(minute);
    longestMs = Math.max(longestMs, performance.now() - started);
  }
  const mails = (await d.mails()).filter(({ to }) => to === BEHEERDER_EMAIL);
  const silent = mails.filter(({ subject }) => /stil/.test(subject));
  const started = performance.now();
  const { json } = await d.call<Alerts>('GET', '/api/alert/get?state=firing', BEHEERDER_EMAIL);
  const answerMs = performance.now() - started;
  expect(silent).toHaveLength(1);
  expect(silent[0]?.subject).toBe('Logger stil: veel machines tegelijk');
  expect(mails.length).toBeLessThanOrEqual(3);
  expect(json.alerts.filter(({ kind }) => kind === 'silent')).toHaveLength(MACHINES + 1);
  expect(longestMs).toBeLessThan(MAX_RUN_MS);
  expect(answerMs).toBeLessThan(MAX_ANSWER_MS);

  // On Monday at 07:00 the shift of the machines begins, and none of them reports.
  for (let minute = MONDAY; minute <= MONDAY + 100; minute += 5) {
    await d.evaluateClock(minute);
    await d.notify(minute);
  }
  const [, ...monday] = (await d.mails()).filter(({ to }) => to === BEHEERDER_EMAIL);
  expect(monday.length).toBeLessThanOrEqual(2);
  expect(monday.map(({ text }) => text).join()).toContain('Niet meer gezien');
  for (const { text } of monday) expect(text.length).toBeLessThan(MAX_MAIL_CHARACTERS);
});
