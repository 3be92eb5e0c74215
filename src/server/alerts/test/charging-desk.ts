import { expect } from 'vitest';
import { type MailServer, type MailServerBehaviour, startMailServer } from '#server/mail/test/mail-server.ts';
import { type ParsedMail, parseMail } from '#server/mail/test/mailbox.ts';
import type { OutboundClients } from '#server/outbound-ways.ts';
import { openPortal, type Portal } from '#server/portal.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { Reading, Signals } from '#shared/domain/signal.ts';

export const CHARGER_ON = { ChargingCurrent: 40, ChargingVoltage: 700, IsCharging: 1 };
export const CHARGER_OFF = { ChargingCurrent: 0, IsCharging: 0 };

/** Friday 14:00 in Amsterdam. */
export const TEST_START_MS = Date.UTC(2026, 10, 20, 13);
/** Returns the time of a minute after START, in ms. */
export const testMinuteMs = (minutes: number): number => TEST_START_MS + minutes * 60_000;

/** Returns the same reading every 10 s, from one minute up to another. */
export function readingsDuring(from: number, to: number, signals: Signals): Reading[] {
  const readings: Reading[] = [];
  for (let time = testMinuteMs(from); time < testMinuteMs(to); time += 10_000)
    readings.push({ time, signals });
  return readings;
}

/** A portal with a real SMTP server, an organization `klant` and its user `anna@klant.nl`. */
export class ChargingTestPortal {
  readonly portal: TestPortal;
  readonly server: MailServer;
  readonly klant: number;
  /** Cookie by e-mail address. */
  readonly #cookies = new Map<string, string>();
  readonly #clock: { now: number };
  #machines = 0;
  readonly #others: Portal[] = [];

  private constructor(portal: TestPortal, server: MailServer, klant: number, clock: { now: number }) {
    this.portal = portal;
    this.server = server;
    this.klant = klant;
    this.#clock = clock;
  }

  /** @param more settings of the portal */
  static async open(
    behaviour: MailServerBehaviour = {},
    more: Record<string, string> = {},
    outbound: Partial<OutboundClients> = {},
  ): Promise<ChargingTestPortal> {
    const clock = { now: TEST_START_MS };
    const server = await startMailServer(0, behaviour);
    const settings = {
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      PUBLIC_URL: 'https://portaal.nl',
      ...more,
    };
    const portal = await testPortal(settings, () => clock.now, undefined, undefined, outbound);
    // Tests decide when rules are evaluated.
    await portal.portal.alerts.close();
    const klant = await portal.organization('klant');
    await portal.user('anna@klant.nl', klant);
    return new ChargingTestPortal(portal, server, klant, clock);
  }

  async close(): Promise<void> {
    for (const process of this.#others) await process.close();
    await this.portal.close();
    await this.server.close();
  }

  /** Opens another portal process on the same database; it simulates a restart if the first one stops evaluating. */
  async anotherProcess(): Promise<Portal> {
    const { config, pools, secrets, log, now } = this.portal.portal;
    const process = await openPortal(config, pools, this.portal.connection, secrets, log, now);
    await process.alerts.close();
    this.#others.push(process);
    return process;
  }

  /** Creates a machine of `klant` with these subscribers. */
  async machine(...subscribers: string[]): Promise<{ streamId: number; serial: string }> {
    this.#machines += 1;
    const serial = `K-${this.#machines}`;
    const streamId = await this.portal.machine(this.klant, {
      serial,
      alias: `Kraan ${this.#machines}`,
      batteries: [{ capacity: 100 }],
    });
    for (const email of subscribers)
      expect(await this.post('/api/mail/subscribe', email, { serialNumber: serial })).toBe(200);
    return { streamId, serial };
  }

  async cookieOf(email: string): Promise<string> {
    const cookie = this.#cookies.get(email) ?? (await this.portal.login(email));
    this.#cookies.set(email, cookie);
    return cookie;
  }

  /** Deletes the stored session cookie of a person, so that the next call signs in again. */
  forget(email: string): void {
    this.#cookies.delete(email);
  }

  /** Postpones all new jobs until `end`. */
  async pauseMails(): Promise<{ end(): Promise<void> }> {
    const { pool } = this.portal;
    await pool.query(`create or replace function later() returns trigger language plpgsql as
      $$ begin new.start_after := now() + interval '1 hour'; return new; end $$`);
    await pool.query(
      'create trigger later before insert on pgboss.job for each row execute function later()',
    );
    return {
      end: async () => {
        await pool.query('drop trigger later on pgboss.job');
        await pool.query(`update pgboss.job set start_after = now() where name like 'alert-%'`);
      },
    };
  }

  /** Sends a POST request as a person. @returns the status of the answer */
  async post(url: string, email: string, payload: object): Promise<number> {
    const headers = { cookie: await this.cookieOf(email) };
    return (await this.portal.app.inject({ method: 'POST', url, payload, headers })).statusCode;
  }

  async store(streamId: number, readings: readonly Reading[]): Promise<void> {
    const { pool } = this.portal;
    await openPartitions(pool, Date.now).ensure(
      readings.map(({ time }) => time),
      undefined,
    );
    for (let n = 0; n < readings.length; n += 500) {
      const batch = readings.slice(n, n + 500).map((reading) => ({ streamId, ...reading }));
      await storeReadings(pool, batch);
    }
  }

  /** Sets the portal's clock to a minute after START. */
  setClock(minute: number): void {
    this.#clock.now = testMinuteMs(minute);
  }

  /** Evaluates and notifies half a minute after `minute`, when readings from before `minute` are old enough to be evaluated. */
  async evaluate(minute: number, ...by: readonly Portal[]): Promise<void> {
    this.#clock.now = testMinuteMs(minute) + 30_000;
    const processes = by.length > 0 ? by : [this.portal.portal];
    await Promise.all(
      processes.map(async ({ alerts }) => {
        await alerts.evaluateReadings();
        await alerts.notify();
      }),
    );
  }

  /** Stores readings minute by minute, as if they arrived live, and evaluates after each minute. */
  async live(streamId: number, readings: readonly Reading[]): Promise<void> {
    const minutes = Map.groupBy(readings, ({ time }) => Math.floor((time - TEST_START_MS) / 60_000));
    for (const [minute, arrived] of minutes) {
      await this.store(streamId, arrived);
      await this.evaluate(minute + 1);
    }
  }

  /** Returns the mails about a machine so far, after all queued jobs have ended. */
  async mailsAbout({ serial }: { serial: string }): Promise<ParsedMail[]> {
    await expect.poll(() => this.queued(), { timeout: 20_000 }).toBe(0);
    return this.server.delivered
      .map(({ source }) => parseMail(source))
      .filter(({ text }) => text.includes(`#${serial})`));
  }

  async queued(): Promise<number> {
    const { rows } = await this.portal.pool.query(
      `select count(*)::int as n from pgboss.job where name = 'alert-mail' and state in ('created', 'retry', 'active')`,
    );
    return rows[0].n;
  }

  /** Returns 'kind from[-to]' in minutes after START, in order. */
  async events(streamId: number): Promise<string[]> {
    const { rows } = await this.portal.pool.query(
      `select distinct data ->> 'kind' as kind, since as from, nullif(until, since) as to from alert
       where kind = 'charging' and stream_id = $1 order by 2, 1`,
      [streamId],
    );
    const minutes = (time: Date) => Math.round((time.getTime() - TEST_START_MS) / 6_000) / 10;
    return rows.map(({ kind, from, to }) => `${kind} ${minutes(from)}${to ? `-${minutes(to)}` : ''}`);
  }
}
