import type { TestPortal } from '#server/test/portal.ts';
import { type Label, markerOf, type Planted } from './planted.ts';

export type PlantedAlerts = {
  /** An open alert of `user`'s machine, and one of another organization's machine. */
  readonly alertId: string;
  readonly foreignAlertId: string;
  readonly ruleId: number;
  readonly foreignRuleId: number;
  /** A mute of a person outside the table. */
  readonly muteId: number;
  /** Returns another rule of `user`'s organization, to be deleted. */
  nextRule(): number;
};

/** Number of rules of `user`'s organization, whose maximum is 200. */
const EACH = 30;

/** Plants in every organization a rule, an alert of its machine and an alert of many machines, and one mute. */
export async function plantAlerts(
  { pool, user }: TestPortal,
  ids: ReadonlyMap<Label, number>,
  planted: ReadonlyMap<Label, Planted>,
): Promise<PlantedAlerts> {
  const rules = async (label: Label, count: number): Promise<number[]> => {
    const { rows } = await pool.query<{ id: number }>(
      `insert into alert_rule (organization_id, name, kind, settings, hours, machines, severity, roles, tells_end, is_on, valid_from)
       select $1, $2 || '-regel', 'silent', '{"threshold":24}', 'always', 'all', 'notice', '{gebruiker}', false, false, now()
       from generate_series(1, $3) returning id`,
      [ids.get(label), markerOf(label), count],
    );
    return rows.map(({ id }) => id);
  };
  const alerts = async (label: Label, rule: number | undefined): Promise<string[]> => {
    const { rows } = await pool.query<{ id: string }>(
      `insert into alert (rule_id, version, organization_id, stream_id, kind, severity, words, since, at, is_news, made_at)
       select $1, 1, $2, stream, 'silent', 'notice', $3 || ' stil', now(), now(), true, now()
       from unnest(array[$4::int, null]) as stream returning id::text`,
      [rule, ids.get(label), markerOf(label), planted.get(label)?.logger.streamId],
    );
    return rows.map(({ id }) => id);
  };
  for (const label of ['spoor', 'rails', 'dicht'] as const) await alerts(label, (await rules(label, 1))[0]);
  const [ruleId, ...others] = await rules('eigen', EACH);
  const [foreignRuleId] = await rules('ander', 1);
  const [alertId] = await alerts('eigen', ruleId);
  const [, foreignAlertId] = await alerts('ander', foreignRuleId);
  await pool.query('insert into alert_seen select x.id, a.id from alert x, account a');
  await pool.query(`insert into alert_preference select id, true, true, '21:00', '06:30' from account`);
  await pool.query(
    `insert into alert_message (account_id, channel, made_at, sent_at) select id, 'mail', now(), now() from account`,
  );
  await pool.query(
    `insert into alert_outbox select x.id, m.account_id, 'mail', 'opened', now(), m.id from alert x, alert_message m`,
  );
  await pool.query('insert into alert_clock (looked_at, since) values (now(), now()) on conflict do nothing');
  const email = `dempt@${markerOf('eigen')}.example`;
  await user(email, ids.get('eigen') as number);
  const { rows: mutes } = await pool.query<{ id: number }>(
    `insert into alert_mute (account_id, rule_id, until) select id, $2, 'infinity' from account where email = $1 returning id`,
    [email, ruleId],
  );
  return {
    alertId: alertId as string,
    foreignAlertId: foreignAlertId as string,
    ruleId: ruleId as number,
    foreignRuleId: foreignRuleId as number,
    muteId: mutes[0]?.id as number,
    nextRule() {
      const id = others.shift();
      if (id === undefined) throw new Error('No rule is left');
      return id;
    },
  };
}
