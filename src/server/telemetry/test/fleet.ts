import { HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Logger } from 'pino';
import { type TestLogger, type TestPortal, testPortal } from '#server/test/portal.ts';
import type { Definition } from '#shared/contract/definition.ts';
import type { LiveResponse } from '#shared/contract/live.ts';
import {
  type DeliveryFinding,
  dutchFindingsText,
} from '#shared/domain/delivery-findings/delivery-findings.ts';
import { readStoredBody } from './stored-content.ts';
import { countStoredReadings } from './stored-rows.ts';

export type FleetLogger = TestLogger & { readonly serialNumber: string };

export type LoggerHealthAnswer = {
  counters: Record<string, number>;
  lastError: string | null;
  refusal: string | null;
  lastSeenAt: Date;
  status: unknown;
};

/** A portal with one organization, to which tests add machines with loggers that upload through the upload endpoint. */
export class TestFleet {
  readonly portal: TestPortal;
  readonly organization: number;
  readonly cookie: string;
  /** The portal's clock, in ms. */
  clock = Date.now();
  #serial = 5_000_000;

  private constructor(portal: TestPortal, organization: number, cookie: string) {
    this.portal = portal;
    this.organization = organization;
    this.cookie = cookie;
  }

  static async open(settings: Record<string, string> = {}, log?: Logger): Promise<TestFleet> {
    let fleet: TestFleet | undefined;
    const portal = await testPortal(settings, () => fleet?.clock ?? Date.now(), log);
    const organization = await portal.organization('klant');
    await portal.user('a@klant.nl', organization);
    fleet = new TestFleet(portal, organization, await portal.login('a@klant.nl'));
    return fleet;
  }

  close(): Promise<void> {
    return this.portal.close();
  }

  /** Creates a machine with a logger. */
  async newLogger(definition?: Definition, at?: Date): Promise<FleetLogger> {
    this.#serial += 1;
    const loggerSerial = String(this.#serial);
    const serialNumber = `M-${loggerSerial}`;
    const streamId = await this.portal.machine(this.organization, {
      serial: serialNumber,
      batteries: [{ capacity: 64 }],
    });
    return { ...(await this.portal.logger(streamId, loggerSerial, definition, at)), serialNumber };
  }

  clientOf({ accessKey, secret }: { accessKey: string; secret: string }): S3Client {
    return new S3Client({
      endpoint: this.portal.address,
      region: 'eu-central-1',
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { accessKeyId: accessKey, secretAccessKey: secret },
    });
  }

  put(
    logger: TestLogger,
    name: string,
    body: string | Buffer,
    folder: string = `WS_SN${logger.loggerSerial}`,
  ) {
    const command = new PutObjectCommand({ Bucket: 'telemetry', Key: `${folder}/${name}`, Body: body });
    return this.clientOf(logger).send(command);
  }

  /** Uploads a file. @returns 200, or the HTTP status of the refusal */
  async putStatus(logger: TestLogger, name: string, body: string | Buffer): Promise<number> {
    return this.put(logger, name, body).then(() => 200, statusOf);
  }

  snapshot(logger: TestLogger, signals: Record<string, unknown>) {
    return this.put(logger, 'J1939Snapshot.json', JSON.stringify(signals));
  }

  /** Returns the stored content of an object, undefined when there is none. */
  async content({ loggerSerial }: TestLogger, name: string): Promise<string | undefined> {
    const key = `WS_SN${loggerSerial}/${name}`;
    return (await readStoredBody(this.portal.pool, loggerSerial, key))?.toString();
  }

  async headStatus(logger: TestLogger, name: string): Promise<number> {
    const Key = `WS_SN${logger.loggerSerial}/${name}`;
    const command = new HeadObjectCommand({ Bucket: 'telemetry', Key });
    return this.clientOf(logger)
      .send(command)
      .then(() => 200, statusOf);
  }

  async live(serialNumber: string): Promise<LiveResponse[string] | undefined> {
    await this.portal.untilNotified();
    this.clock += 1_100;
    const answer = (await this.portal.get('/api/live', this.cookie)).json() as LiveResponse;
    return answer[serialNumber];
  }

  async health(writerId: number): Promise<LoggerHealthAnswer> {
    await this.portal.portal.counters.flush();
    const { rows } = await this.portal.pool.query('select * from writer_health where writer_id = $1', [
      writerId,
    ]);
    return { ...rows[0], lastError: rows[0].lastError && dutchFindingsText(rows[0].lastError) };
  }

  /**
   * Returns the texts that screens show about a logger's stored files, in order of arrival.
   * @param name only files whose key ends with it
   */
  async outcomes({ loggerSerial }: TestLogger, name = ''): Promise<string[]> {
    const { rows } = await this.portal.pool.query<{ outcome: DeliveryFinding[] }>(
      'select outcome from object where logger_serial = $1 and key like $2 order by id',
      [loggerSerial, `%${name}`],
    );
    return rows.map(({ outcome }) => dutchFindingsText(outcome));
  }

  /** Returns why uploads of a logger were quarantined, in order of arrival. */
  async quarantined(logger: TestLogger): Promise<string[]> {
    const { rows } = await this.portal.pool.query(
      'select reason from quarantine where logger_serial = $1 order by id',
      [logger.loggerSerial],
    );
    return rows.map(({ reason }) => dutchFindingsText(reason));
  }

  /** Returns the number of stored readings. */
  readingsOf(streamId: number): Promise<number> {
    return countStoredReadings(this.portal.pool, streamId);
  }
}

const statusOf = (error: { $metadata?: { httpStatusCode?: number } }): number =>
  error.$metadata?.httpStatusCode ?? 0;
