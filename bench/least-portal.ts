/**
 * The least that may acknowledge an upload, as a process of its own: Node's server, the signature, the document's JSON, and
 * its row of `reading`, in groups, two under way at once. No figures, roll-up, latest values or documents, no limits,
 * rules or clocks: what one process of a portal does can only be less.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { parseAuthorization } from '#server/s3/authorization.ts';
import { digestOf } from '#server/s3/digest.ts';
import { readTarget } from '#server/s3/s3-request.ts';
import { SigningKeys } from '#server/s3/signing-key.ts';
import { verifyRequest } from '#server/s3/sigv4.ts';
import { columns, instants, integers, texts } from '#server/telemetry/binary-array.ts';
import { type StreamReading, toRow } from '#server/telemetry/signal-columns.ts';
import { packsIn } from '#shared/domain/packs.ts';
import { SIGNALS } from '#shared/domain/signal.ts';
import type { BenchLogger } from './bench-portal.ts';

/** Where it keeps its table, and whose uploads it takes. */
export type LeastOrder = { readonly connection: pg.ClientConfig; readonly loggers: readonly BenchLogger[] };

/** As `reading`, of which nothing else is made; the week's partition is left out too. */
const TABLE = 'create table if not exists least_reading (like reading, primary key (stream_id, time))';
const COLUMNS = SIGNALS.map(({ column }) => column).join(', ');
const INSERT = `insert into least_reading (stream_id, time, ${COLUMNS}, rest)
  select * from unnest($1::integer[], $2::timestamptz[], ${SIGNALS.map((_, n) => `$${n + 3}::float8[]`).join(', ')}, $${SIGNALS.length + 3}::jsonb[])
  on conflict do nothing`;
const GROUPS_AT_ONCE = 2;
const WORTH_A_GROUP = 32;

type Taken = { readonly reading: StreamReading; readonly etag: string; readonly response: ServerResponse };

async function serve({ connection, loggers }: LeastOrder): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: GROUPS_AT_ONCE }, async () => {
      const client = new pg.Client(connection);
      await client.connect();
      return client;
    }),
  );
  await clients[0]?.query(TABLE);
  const known = new Map(loggers.map((logger) => [logger.accessKey, logger]));
  const keys = new SigningKeys();
  let waiting: Taken[] = [];
  let isStarting = false;

  function start(): void {
    isStarting = false;
    if (waiting.length === 0 || clients.length === 0) return;
    if (clients.length < GROUPS_AT_ONCE && waiting.length < WORTH_A_GROUP) return;
    const group = waiting;
    waiting = [];
    store(clients.pop() as pg.Client, group).catch((error) => {
      console.error(error);
      process.exit(1);
    });
  }

  async function store(client: pg.Client, group: readonly Taken[]): Promise<void> {
    const readings = group.map(({ reading }) => reading);
    const rows = readings.map(({ time, signals }) => toRow(signals, packsIn(signals, {}, time)));
    await client.query({
      name: 'least',
      text: INSERT,
      values: [
        integers(readings.map(({ streamId }) => streamId)),
        instants(readings.map(({ time }) => time)),
        ...columns('double', rows, SIGNALS.length, (row, column) => row.columns[column]),
        texts(
          'jsonb',
          rows.map(({ rest }) => rest && JSON.stringify(rest)),
        ),
      ],
    });
    clients.push(client);
    start();
    for (const { response, etag } of group) {
      response.setHeader('etag', etag);
      response.end();
    }
  }

  function take(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const { headers, url = '' } = request;
    const authorization = parseAuthorization(headers.authorization);
    const logger = known.get(authorization?.accessKey ?? '');
    if (!authorization || !logger) throw new Error('An unknown key.');
    verifyRequest(
      request,
      readTarget(url, headers.host, 'telemetry'),
      authorization,
      logger,
      keys,
      Date.now(),
    );
    if (digestOf('sha256', body).toString('hex') !== headers['x-amz-content-sha256'])
      throw new Error('Another body than was signed.');
    const { GMT_UNIX, ...signals } = JSON.parse(body.toString());
    const reading = { streamId: logger.streamId, time: GMT_UNIX * 1000, signals };
    waiting.push({ reading, etag: `"${digestOf('md5', body).toString('hex')}"`, response });
    if (!isStarting) setImmediate(start);
    isStarting = true;
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => take(request, response, Buffer.concat(chunks)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

process.once('message', (order: LeastOrder) => void serve(order).then((port) => process.send?.(port)));
process.on('disconnect', () => process.exit(0));
