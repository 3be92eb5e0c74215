import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import type { KeyPair } from '#server/writers/keys.store.ts';
import type { OperatorAlertKind } from '#shared/domain/alerts/kinds.ts';
import { AlertTestPortal, TEST_START_MS } from './alert-desk.ts';

export const ADMINISTRATOR_EMAIL = 'beheer@portaal.nl';
export const TECHNICUS_EMAIL = 'techniek@portaal.nl';
/** The present time in minutes after START, because alerts about the portal depend on the database's own clock. */
export const MINUTES_SINCE_TEST_START = Math.ceil((Date.now() - TEST_START_MS) / 60_000);
export const DAY_MINUTES = 24 * 60;

/** A test portal for alerts with administrators, and a mail server that can refuse mails. */
export class OperatorTestPortal {
  readonly d: AlertTestPortal;
  readonly #server: { isRefusing: boolean };

  private constructor(d: AlertTestPortal, server: { isRefusing: boolean }) {
    this.d = d;
    this.#server = server;
  }

  static async open(): Promise<OperatorTestPortal> {
    const server = { isRefusing: false };
    const d = await AlertTestPortal.open({ refuse: () => (server.isRefusing ? 451 : undefined) });
    const administrators = await d.desk.portal.organization('admin');
    await d.desk.portal.user(ADMINISTRATOR_EMAIL, administrators);
    await d.desk.portal.user(TECHNICUS_EMAIL, administrators, 'technicus');
    return new OperatorTestPortal(d, server);
  }

  set isRefusing(is: boolean) {
    this.#server.isRefusing = is;
  }

  async reset(): Promise<void> {
    await this.d.reset();
    await this.d.wants(ADMINISTRATOR_EMAIL, {});
    await this.d.pool.query('delete from unknown_key');
    this.d.setClock(MINUTES_SINCE_TEST_START);
  }

  save = (kind: OperatorAlertKind, rule: object = {}, as = ADMINISTRATOR_EMAIL) =>
    this.d.saveRule(kind, { roles: ['administrator'], ...rule }, as);

  /**
   * Saves an active rule, and evaluates it until 11 minutes after the start of the test. From then on the rule may open alerts.
   * @returns its id
   */
  async ruleOf(kind: OperatorAlertKind, rule: object = {}): Promise<number> {
    const { status, json } = await this.save(kind, rule);
    expect([status, json]).toEqual([200, expect.anything()]);
    for (const minute of [0, 5, 11]) await this.d.evaluateClock(MINUTES_SINCE_TEST_START + minute);
    return json._id;
  }

  /** Returns the open alerts as [kind, subject, words]. */
  async open(as = ADMINISTRATOR_EMAIL) {
    return (await this.d.alerts('firing', as)).map(({ kind, subject, words }) => [kind, subject, words]);
  }

  /** Uploads a body to the upload endpoint, signed with the time of the portal's clock. */
  async put(logger: KeyPair & { loggerSerial: string }, name: string, body: string): Promise<void> {
    const { address, portal } = this.d.desk.portal;
    const client = new S3Client({
      endpoint: address,
      region: 'eu-central-1',
      forcePathStyle: true,
      maxAttempts: 1,
      systemClockOffset: portal.now() - Date.now(),
      credentials: { accessKeyId: logger.accessKey, secretAccessKey: logger.secret },
    });
    const Key = `WS_SN${logger.loggerSerial}/${name}`;
    await client
      .send(new PutObjectCommand({ Bucket: 'telemetry', Key, Body: body }))
      .finally(() => client.destroy());
  }

  /** Uploads `times` with an unknown key, and waits until the refusals are counted. */
  async uploadUnknown(accessKey: string, times: number): Promise<void> {
    const logger = { loggerSerial: '7000009', accessKey, secret: 'x' };
    for (let n = 0; n < times; n += 1)
      await expect(this.put(logger, 'snapshot.json', '{}')).rejects.toThrow(
        expect.objectContaining({ name: 'InvalidAccessKeyId' }),
      );
    await expect
      .poll(async () => {
        await this.d.desk.portal.portal.counters.flush();
        const { rows } = await this.d.pool.query('select count::int from unknown_key where access_key = $1', [
          accessKey,
        ]);
        return rows[0]?.count;
      })
      .toBe(times);
  }
}
