import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import { benchMachineSignals, READING_INTERVAL_SECONDS } from './fleet.ts';
import type { BenchLogger } from './portal.ts';

/** The key that a logger signs with. */
export type LoggerKey = Pick<BenchLogger, 'loggerSerial' | 'accessKey' | 'secret'>;

export type SignedUploads = {
  readonly loggers: readonly (LoggerKey & Pick<BenchLogger, 'machine'>)[];
  /** host:port of the upload endpoint, which the signature covers. */
  readonly host: string;
  /** Number of the first upload. Upload n is the next reading of logger n modulo the number of loggers. */
  readonly from: number;
  readonly count: number;
  /** Time of each logger's first reading, seconds since 1970. */
  readonly firstSeconds: number;
  /** Time of the signatures, ms since 1970. */
  readonly signedAt: number;
};

const REGION = 'eu-central-1';
const SIGNED_HEADERS = 'content-type;host;x-amz-content-sha256;x-amz-date';

/** Returns snapshot uploads as sent over the network, each with a different reading. */
export function signUploads({ loggers, host, from, count, firstSeconds, signedAt }: SignedUploads): Buffer[] {
  const sign = uploadSigner(loggers, host);
  return Array.from({ length: count }, (_, n) => {
    const at = (from + n) % loggers.length;
    const step = Math.floor((from + n) / loggers.length);
    const { machine } = loggers[at] as BenchLogger;
    const body = {
      GMT_UNIX: firstSeconds + step * READING_INTERVAL_SECONDS,
      ...benchMachineSignals(machine, step),
    };
    return sign(at, JSON.stringify(body), signedAt);
  });
}

/**
 * Returns a function that makes an upload of `loggers[machine]` as sent over the network: path-style address, signed with the body's
 * hash (Signature V4, AWS General Reference) at `signedAt`, ms since 1970. A call takes some 10 µs. `file` is the name of the uploaded
 * file; by default that of the logger's snapshot.
 */
export function uploadSigner(
  loggers: readonly LoggerKey[],
  host: string,
): (machine: number, body: string | Uint8Array, signedAt: number, file?: string) => Buffer {
  const keys: (DayKey | undefined)[] = [];
  const keyOf = (machine: number, secret: string, date: string): KeyObject => {
    const known = keys[machine];
    if (known?.date === date) return known.key;
    const key = signingKey(secret, date);
    keys[machine] = { date, key };
    return key;
  };
  return (machine, body, signedAt, file = 'J1939Snapshot.json') => {
    const { loggerSerial, accessKey, secret } = loggers[machine] as LoggerKey;
    const time = new Date(signedAt).toISOString().replace(/[-:]|\.\d+/g, '');
    const date = time.slice(0, 8);
    const scope = `${date}/${REGION}/s3/aws4_request`;
    const path = `/telemetry/WS_SN${loggerSerial}/${file}`;
    const bodyHash = hash('sha256', body);
    const headers =
      `content-type:application/json\nhost:${host}\n` +
      `x-amz-content-sha256:${bodyHash}\nx-amz-date:${time}\n`;
    const canonical = `PUT\n${path}\n\n${headers}\n${SIGNED_HEADERS}\n${bodyHash}`;
    const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash('sha256', canonical)}`;
    const signature = createHmac('sha256', keyOf(machine, secret, date))
      .update(toSign)
      .digest('hex');
    const head = Buffer.from(
      `PUT ${path} HTTP/1.1\r\n${headers.replaceAll('\n', '\r\n')}` +
        `authorization: AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${SIGNED_HEADERS}, Signature=${signature}\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n`,
    );
    return Buffer.concat([head, typeof body === 'string' ? Buffer.from(body) : body]);
  };
}

/** A signing key, valid for one day (UTC). */
type DayKey = { readonly date: string; readonly key: KeyObject };

function signingKey(secret: string, date: string): KeyObject {
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  return createSecretKey(hmac(hmac(hmac(hmac(`AWS4${secret}`, date), REGION), 's3'), 'aws4_request'));
}
