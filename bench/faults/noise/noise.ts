import { connect, type Socket } from 'node:net';
import { formatAmzDate, sha256, signNaively } from '#server/s3/test/naive-signer.ts';
import type { Logger } from '#server/test/loggers.ts';

/** The port of the portal, and the loggers, machines and session with which the noisy tenant loads it. */
export type NoiseContext = {
  readonly port: number;
  readonly loggers: readonly Logger[];
  /** Serial numbers of the tenant's machines. */
  readonly serials: readonly string[];
  /** Cookie of a session, `name=value`. */
  readonly cookie: string;
};

/** Counts of what the noisy tenant has done so far, such as its uploads per HTTP status. */
export type NoisyTenantCounts = Readonly<Record<string, number>>;

/** Sends load to the portal as a noisy tenant, as fast as possible, until the process ends. Calls `note` to add `amount` to a count. */
export type NoiseGenerator = (order: NoiseContext, note: (what: string, amount?: number) => void) => unknown;

/** Repeats `work` forever in `count` parallel lanes. If `work` fails, its lane pauses 50 ms before the next repetition. */
export function repeatInParallel(count: number, work: (lane: number, n: number) => Promise<void>): void {
  for (let lane = 0; lane < count; lane++) {
    void (async () => {
      for (let n = 0; ; n++) {
        await work(lane, n).catch(() => new Promise((later) => setTimeout(later, 50)));
      }
    })();
  }
}

export type UploadBody = { readonly bytes: Buffer; readonly hash: string };
/** Returns the body with its SHA-256, so that uploading the body many times hashes it only once. */
export const hashedBody = (content: string | Buffer): UploadBody => {
  const bytes = Buffer.from(content);
  return { bytes, hash: sha256(bytes) };
};

/** Returns the HTTP request line and headers of a signed upload, as sent over the network. */
export function signedUploadHead(
  port: number,
  { accessKey, secret, loggerSerial }: Logger,
  name: string,
  more: Readonly<Record<string, string>>,
  payloadHash: string,
): string {
  const path = `/telemetry/WS_SN${loggerSerial}/${name}`;
  const timestamp = formatAmzDate(Date.now());
  const headers = { host: `127.0.0.1:${port}`, ...more };
  const signed = signNaively({ method: 'PUT', path, headers, payloadHash, accessKey, secret, timestamp });
  const lines = Object.entries(signed.headers).map(([header, value]) => `${header}: ${value}\r\n`);
  return `PUT ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Uploads a body on a separate connection. @returns the HTTP status, or 0 if the connection breaks */
export function uploadOnNewConnection(
  port: number,
  logger: Logger,
  name: string,
  body: UploadBody,
): Promise<number> {
  const head = signedUploadHead(
    port,
    logger,
    name,
    { 'content-length': String(body.bytes.length) },
    body.hash,
  );
  return new Promise((answered) => {
    const socket = connectAndReadStatus(port, (status) => {
      answered(status);
      socket.destroy();
    });
    socket.write(head);
    socket.write(body.bytes);
  });
}

/** Opens a connection, and calls `status` with the HTTP status of the first response, or with 0 if the connection ends before it. */
export function connectAndReadStatus(port: number, status: (status: number) => void): Socket {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
    const found = /^HTTP\/1\.1 (\d{3})/.exec(text);
    if (found) status(Number(found[1]));
  });
  socket.on('error', () => {}); // 'close' follows
  socket.on('close', () => status(0));
  return socket;
}

/** Returns a function that uploads a file of the logger and resolves to the HTTP status, or 0 if the connection breaks. */
export const makeUploader =
  ({ port }: { readonly port: number }, logger: Logger) =>
  (name: string, content: Buffer | string): Promise<number> =>
    uploadOnNewConnection(port, logger, name, hashedBody(content));
