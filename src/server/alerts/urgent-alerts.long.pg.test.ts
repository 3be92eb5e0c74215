import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '#server/platform/database.ts';
import { ALERT_KIND_NAMES, type AlertKind } from '#shared/domain/alerts/kinds.ts';
import { createOutboxMessages } from './outbox.store.ts';
import { AlertTestPortal, BEHEERDER_EMAIL, testMinuteMs } from './test/alert-desk.ts';

let d: AlertTestPortal;
beforeAll(async () => {
  d = await AlertTestPortal.open();
});
beforeEach(() => d.reset());
afterAll(() => d.close());

/** Minutes after START: 23:00 of the same day. */
const NIGHT = 540;

/** Queues the notification of an alert for mail and push at 23:00, and returns the channels for which a message is made then. */
async function madeAtNight(kind: AlertKind, severity: 'urgent' | 'notice'): Promise<string[]> {
  const { streamId } = await d.machine();
  await d.pool.query(
    `with rule as (
       insert into alert_rule (organization_id, name, kind, settings, hours, machines, severity, roles, tells_end, is_on, valid_from)
       select a.organization_id, $1, $1, '{}', 'always', 'all', $2, '{beheerder}', false, true, $4 from account a where a.email = $5
       returning id, organization_id
     ), made as (
       insert into alert (rule_id, version, organization_id, stream_id, kind, severity, words, since, at, is_news, made_at)
       select id, 1, organization_id, $3::int, $1, $2, '', $4, $4, true, $4 from rule returning id
     )
     insert into alert_outbox (alert_id, account_id, channel, step, due_at)
     select m.id, a.id, c.channel, 'opened', $4 from made m, account a, (values ('mail'), ('push')) c (channel) where a.email = $5`,
    [kind, severity, streamId, new Date(testMinuteMs(NIGHT)), BEHEERDER_EMAIL],
  );
  const made = await inTransaction(d.pool, (client) => createOutboxMessages(client, testMinuteMs(NIGHT + 1)));
  return made.map(({ channel }) => channel).sort();
}

test.each(ALERT_KIND_NAMES)(
  'in quiet hours an urgent alert of kind %s is sent by mail and push, and one of severity notice is not (53.12)',
  async (kind) => {
    await d.wants(BEHEERDER_EMAIL, { quiet: { from: '20:00', to: '06:30' } });
    expect(await madeAtNight(kind, 'notice')).toEqual([]);
    await d.pool.query('delete from alert_rule');
    expect(await madeAtNight(kind, 'urgent')).toEqual(['mail', 'push']);
  },
);
