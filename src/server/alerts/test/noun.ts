import { organizationMarker, type PlantedOrganization } from '#server/test/security/principals/planted.ts';
import {
  createNextIdTaker,
  existingOrUnknownId,
  type MakeRequest,
  requestById,
  TEXT_FIELD_VALUES,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

export type PlantedAlerts = {
  /** An open alert of `user`'s machine, and one of another organization's machine. */
  readonly alertId: string;
  readonly foreignAlertId: string;
  readonly ruleId: number;
  readonly foreignRuleId: number;
  /** A mute of a person who is none of the callers in the table of permissions. */
  readonly muteId: number;
  /** Returns the id of another rule of `user`'s organization, which a test may delete. */
  nextRule(whose: 'own'): number;
};

/** Number of rules that `user`'s organization gets, far below the maximum of 200. */
const EACH = 30;

/** The condition of an alert rule. The rules are switched off, so that none is evaluated. */
const QUESTION = {
  kind: 'silent',
  settings: { threshold: 24 },
  hours: 'always',
  machines: { by: 'all' },
};
const RULE = {
  ...QUESTION,
  ruleName: 'Stil',
  severity: 'notice',
  people: [],
  tellsEnd: false,
  isOn: false,
};
const NO_ALERT = '9000000000';
const MUTE = { what: 'machine', until: 'hour' };
const about =
  (alert: 'alertId' | 'foreignAlertId', more: object): MakeRequest<PlantedAlerts> =>
  (target, world) => ({ body: { alert: target === world.own ? world[alert] : NO_ALERT, ...more } });

export const noun: TestedNoun<PlantedAlerts> = {
  permissions: `
                                                   nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/alert/get                                 401    200  200    200     403         200   200        200   403               401      401     200          200     200    generated
POST /api/alert/seen                               401    200  200    200     403         200   200        200   403               401      401     403          200     200    nothing
POST /api/alert/take                               401    200  200    200     403         200   200        404   403               401      401     403          200     200
POST /api/alert/take (of another)                  401    404  404    404     403         200   200        200   403               401      401     403          404     404
POST /api/alert/mute                               401    200  200    200     403         200   200        404   403               401      401     403          200     200
POST /api/alert/mute (of another)                  401    404  404    404     403         200   200        200   403               401      401     403          404     404
POST /api/alert/unmute (of another)                401    404  404    404     403         404   404        404   403               401      401     403          404     404
GET /api/alert/preferences                         401    200  200    200     403         200   200        200   403               401      401     200          200     200    generated
POST /api/alert/preferences                        401    200  200    200     403         200   200        200   403               401      401     403          200     200
GET /api/alert-rule/get                            401    200  200    200     403         200   200        200   403               401      401     200          403     403
POST /api/alert-rule/save (their own)              401    200  200    200     403         400   400        200   403               401      401     403          403     403    generated
POST /api/alert-rule/save (of the organization)    401    403  403    200     403         200   403        403   403               401      401     403          403     403    generated
POST /api/alert-rule/save (of another)             401    404  404    404     403         200   404        404   403               401      401     403          403     403    generated
POST /api/alert-rule/preview (their own)           401    200  200    200     403         400   400        200   403               401      401     400          403     403
POST /api/alert-rule/preview (of the organization) 401    403  403    200     403         200   403        403   403               401      401     200          403     403
POST /api/alert-rule/delete                        401    404  404    200     403         200   404        404   403               401      401     403          403     403
POST /api/alert-rule/delete (of another)           401    404  404    404     403         200   404        404   403               401      401     403          403     403
`,
  /** Plants in every organization a rule, an alert of its machine and an alert of many machines, and one mute. */
  async plant({ pool, user }, { ids, planted }) {
    const rules = async (label: PlantedOrganization, count: number): Promise<number[]> => {
      const { rows } = await pool.query<{ id: number }>(
        `insert into alert_rule (organization_id, name, kind, settings, hours, machines, severity, roles, tells_end, is_on, valid_from)
         select $1, $2 || '-regel', 'silent', '{"threshold":24}', 'always', 'all', 'notice', '{gebruiker}', false, false, now()
         from generate_series(1, $3) returning id`,
        [ids.get(label), organizationMarker(label), count],
      );
      return rows.map(({ id }) => id);
    };
    const alerts = async (label: PlantedOrganization, rule: number | undefined): Promise<string[]> => {
      const { rows } = await pool.query<{ id: string }>(
        `insert into alert (rule_id, version, organization_id, stream_id, kind, severity, words, since, at, is_news, made_at)
         select $1, 1, $2, stream, 'silent', 'notice', $3 || ' stil', now(), now(), true, now()
         from unnest(array[$4::int, null]) as stream returning id::text`,
        [rule, ids.get(label), organizationMarker(label), planted.get(label)?.logger.streamId],
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
    await pool.query(
      'insert into alert_clock (looked_at, since) values (now(), now()) on conflict do nothing',
    );
    const email = `dempt@${organizationMarker('eigen')}.example`;
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
      nextRule: createNextIdTaker({ own: others }),
    };
  },
  requests: {
    'POST /api/alert/seen': (_, world) => ({ body: { alerts: [world.alertId, world.foreignAlertId] } }),
    'POST /api/alert/take': about('alertId', { takes: true }),
    'POST /api/alert/take (of another)': about('foreignAlertId', { takes: true }),
    'POST /api/alert/mute': about('alertId', MUTE),
    'POST /api/alert/mute (of another)': about('foreignAlertId', MUTE),
    'POST /api/alert/unmute (of another)': requestById((world) => world.muteId),
    'POST /api/alert/preferences': (_, __, person) => ({
      body: { byMail: false, byPush: person !== 'admin', quiet: { from: '22:00', to: '06:00' } },
    }),
    'POST /api/alert-rule/save (their own)': () => ({ body: { ...RULE, isOwn: true, roles: [] } }),
    'POST /api/alert-rule/save (of the organization)': () => ({
      body: { ...RULE, isOwn: false, roles: ['beheerder'], organization: organizationMarker('eigen') },
    }),
    'POST /api/alert-rule/save (of another)': requestById((world) => world.foreignRuleId, {
      ...RULE,
      isOwn: false,
      roles: ['beheerder'],
    }),
    'POST /api/alert-rule/preview (their own)': () => ({ body: { ...QUESTION, isOwn: true } }),
    'POST /api/alert-rule/preview (of the organization)': () => ({
      body: { ...QUESTION, isOwn: false, organization: organizationMarker('eigen') },
    }),
    'POST /api/alert-rule/delete': (target, world, person) => ({
      body: {
        _id: existingOrUnknownId(target, world, () =>
          person === 'admin' || person === 'manager' ? world.nextRule('own') : world.ruleId,
        ),
      },
    }),
    'POST /api/alert-rule/delete (of another)': (target, world, person) => ({
      body: {
        _id:
          person === 'admin'
            ? world.nextRule('own')
            : existingOrUnknownId(target, world, () => world.foreignRuleId),
      },
    }),
  },
  loggedElsewhere: {
    'POST /api/alert/unmute': ['alert.unmute', 'alerts/alerts'],
  },
  fields: {
    ruleName: TEXT_FIELD_VALUES,
    severity: { good: ['notice', 'urgent'], odd: ['x'] },
    hours: { good: ['always', 'work'], odd: ['never'] },
    settings: {
      good: [{ threshold: 24 }, { threshold: 20, clear: 25, hold: 2, clearHold: 2 }],
      odd: [{ threshold: -1 }, { threshold: 1e308 }, { x: 1 }, []],
    },
    people: { good: [[]], odd: [['niemand@x.nl'], [1]] },
    roles: { good: [['beheerder'], ['gebruiker', 'kijker']], odd: [['administrator'], ['x']] },
    tellsEnd: { good: [true, false] },
    isOwn: { good: [false, true] },
    isOn: { good: [true, false] },
    alert: { good: ['1', '2', '3'], odd: ['0', '9'.repeat(19), '-1', 'x'] },
    alerts: { good: [['1'], ['1', '2']], odd: [[], ['x'], ['9'.repeat(19)]] },
    takes: { good: [true, false] },
    what: { good: ['machine', 'rule'], odd: ['x'] },
    before: { good: ['100', '1'], odd: ['x', '9'.repeat(19)] },
    state: { good: ['firing', 'resolved'], odd: ['x'] },
    byMail: { good: [true, false] },
    byPush: { good: [true, false] },
    quiet: { good: [null, { from: '22:00', to: '06:00' }], odd: [{ from: '25:00' }, 'x'] },
  },
  administration: ['alert', 'alert_mute', 'alert_presence'],
  rules: {
    'alerts.pg.test.ts > 16.3k': {
      'alerts-scope': 'A list of alerts holds those of the scope only.',
      'rules-scope': 'A list of alert rules holds organizations of the scope only.',
    },
    'alerts.pg.test.ts > 16.3i': {
      'alerts-seen-machine': 'An alert is listed while the caller sees its machine.',
    },
    'alerts.pg.test.ts > 16.4k': {
      'notification-organization': 'An alert is sent to people who still belong to its organization.',
    },
  },
  unplanted: ['alert_cursor', 'alert_presence', 'portal_disk'],
};
