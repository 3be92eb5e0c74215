import { expect } from 'vitest';
import {
  ChargingTestPortal,
  readingsDuring,
  TEST_START_MS,
  testMinuteMs,
} from '#server/alerts/test/charging-desk.ts';
import type { MailServerBehaviour } from '#server/mail/test/mail-server.ts';
import { type ParsedMail, parseMail } from '#server/mail/test/mailbox.ts';
import type { OutboundClients } from '#server/outbound-ways.ts';
import type { Alert, AlertRule, Alerts } from '#shared/contract/alerts.ts';
import { type AlertKind, defaultSettings } from '#shared/domain/alerts/kinds.ts';
import type { Reading } from '#shared/domain/signal.ts';

export { readingsDuring, TEST_START_MS, testMinuteMs };

export const BEHEERDER_EMAIL = 'baas@klant.nl';
export const ANNA_EMAIL = 'anna@klant.nl';

type Rule = Partial<Omit<AlertRule, '_id'>>;

/** A portal with the organization `klant`, its beheerder and a user, whose rules are evaluated only when a test asks for it. */
export class AlertTestPortal {
  readonly desk: ChargingTestPortal;
  #minute = 0;
  /** Number of mails delivered before the test. */
  #before = 0;

  private constructor(desk: ChargingTestPortal) {
    this.desk = desk;
  }

  static async open(
    behaviour: MailServerBehaviour = {},
    settings: Record<string, string> = {},
    outbound: Partial<OutboundClients> = {},
  ): Promise<AlertTestPortal> {
    const desk = await ChargingTestPortal.open(behaviour, settings, outbound);
    await desk.portal.user(BEHEERDER_EMAIL, desk.klant, 'beheerder');
    return new AlertTestPortal(desk);
  }

  /** Resets to START without rules, machines, mails or quiet hours. */
  async reset(): Promise<void> {
    this.setClock(0);
    for (const table of ['alert_rule', 'alert_message', 'alert_mute', 'alert_clock', 'webhook'])
      await this.pool.query(`delete from ${table}`);
    await this.pool.query('update stream set deleted_at = now()');
    for (const as of [BEHEERDER_EMAIL, ANNA_EMAIL]) await this.wants(as, {});
    // A mail of the previous test may still be on its way.
    await this.#untilSent();
    this.#before = this.desk.server.delivered.length;
  }

  close = () => this.desk.close();
  get pool() {
    return this.desk.portal.pool;
  }

  async call<T>(
    method: 'GET' | 'POST',
    url: string,
    as: string,
    payload?: object,
  ): Promise<{ status: number; json: T }> {
    const headers = { cookie: await this.desk.cookieOf(as) };
    const answer = await this.desk.portal.app.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, json: answer.json() };
  }

  async wants(as: string, preferences: object): Promise<void> {
    const body = { byMail: true, byPush: true, quiet: null, ...preferences };
    expect((await this.call('POST', '/api/alert/preferences', as, body)).status).toBe(200);
  }

  /**
   * Saves a rule.
   * @returns its id
   */
  async rule(kind: AlertKind, rule: Rule = {}, as = BEHEERDER_EMAIL): Promise<number> {
    const { status, json } = await this.saveRule(kind, rule, as);
    expect(json).toMatchObject({ message: expect.any(String) });
    expect(status).toBe(200);
    return json._id;
  }

  saveRule(kind: AlertKind, rule: Rule & { _id?: number } = {}, as = BEHEERDER_EMAIL) {
    const isOwn = rule.isOwn ?? false;
    return this.call<{ _id: number; message: string }>('POST', '/api/alert-rule/save', as, {
      ruleName: `Regel ${kind}`,
      kind,
      settings: defaultSettings(kind),
      hours: 'always',
      machines: { by: 'all' },
      severity: 'notice',
      people: [],
      roles: isOwn ? [] : ['beheerder'],
      tellsEnd: false,
      isOn: true,
      isOwn,
      ...rule,
    });
  }

  setClock(minute: number): void {
    this.#minute = minute;
    this.desk.setClock(minute);
  }

  /** Creates a machine that sent a reading a minute before START, and evaluates it once. */
  async machine(): Promise<{ streamId: number; serial: string; alias: string }> {
    const machine = await this.desk.machine();
    await this.desk.store(machine.streamId, [{ time: testMinuteMs(-1), signals: {} }]);
    await this.evaluate(this.#minute);
    return { ...machine, alias: `Kraan ${machine.serial.slice(2)}` };
  }

  async evaluate(minute: number): Promise<void> {
    this.setClock(minute + 0.5);
    await this.desk.portal.portal.alerts.evaluateReadings();
  }

  /** Stores readings minute by minute, as if they arrived live, and evaluates after each minute. */
  async live(streamId: number, readings: readonly Reading[]): Promise<void> {
    const minutes = Map.groupBy(readings, ({ time }) => Math.floor((time - TEST_START_MS) / 60_000));
    for (const [minute, arrived] of minutes) {
      await this.desk.store(streamId, arrived);
      await this.evaluate(minute + 1);
    }
  }

  /** Sets the clock to a minute and sends the notifications that are due. */
  async notify(minute: number): Promise<void> {
    this.setClock(minute);
    await this.desk.portal.portal.alerts.notify();
  }

  async evaluateClock(minute: number): Promise<void> {
    this.setClock(minute);
    await this.desk.portal.portal.alerts.evaluateClock();
  }

  async alerts(
    state: 'firing' | 'resolved' = 'firing',
    as = BEHEERDER_EMAIL,
    query = '',
  ): Promise<readonly Alert[]> {
    const { json } = await this.call<Alerts>('GET', `/api/alert/get?state=${state}${query}`, as);
    return json.alerts;
  }

  /** Returns 'kind since-until' or 'kind since…' in minutes after START, with '!' before withdrawn alerts; in order of time. */
  async recorded(streamId: number): Promise<string[]> {
    const { rows } = await this.pool.query(
      'select kind, since, until, withdrawn_at from alert where stream_id = $1 order by since, kind, until',
      [streamId],
    );
    const minutes = (time: Date) => Math.round((time.getTime() - TEST_START_MS) / 6_000) / 10;
    return rows.map(
      ({ kind, since, until, withdrawnAt }) =>
        `${withdrawnAt ? '!' : ''}${kind} ${minutes(since)}${until ? `-${minutes(until)}` : '…'}`,
    );
  }

  /** Returns the mails of the test, after all queued jobs have ended. */
  async mails(): Promise<ParsedMail[]> {
    await this.#untilSent();
    return this.desk.server.delivered.slice(this.#before).map(({ source }) => parseMail(source));
  }

  async #untilSent(): Promise<void> {
    const queued = async () => {
      const { rows } = await this.pool.query(
        `select count(*)::int as n from pgboss.job where name like 'alert-%' and state in ('created', 'retry', 'active')`,
      );
      return rows[0].n;
    };
    await expect.poll(queued, { timeout: 20_000 }).toBe(0);
  }
}
