import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { BenchLogger } from './bench-portal.ts';
import { STEP_SECONDS, signalsOf } from './fleet.ts';

export type Uploads = {
  readonly loggers: readonly Pick<BenchLogger, 'loggerSerial' | 'accessKey' | 'secret'>[];
  /** host:port, as the door is addressed: it is signed. */
  readonly host: string;
  /** Upload n is of logger n modulo their number: its next reading. */
  readonly from: number;
  readonly count: number;
  /** Of each logger's first reading, seconds since 1970. */
  readonly firstSeconds: number;
  /** Of the signatures, ms. */
  readonly signedAt: number;
};

const REGION = 'eu-central-1';
const SIGNED_HEADERS = 'content-type;host;x-amz-content-sha256;x-amz-date';

/**
 * Snapshot uploads as they go over the line, path style, signed with the body's hash (Signature V4, AWS General
 * Reference). Each is another reading; a logger writes over its one snapshot, as the vendor's do.
 */
export function signUploads({ loggers, host, from, count, firstSeconds, signedAt }: Uploads): Buffer[] {
  const time = new Date(signedAt).toISOString().replace(/[-:]|\.\d+/g, '');
  const date = time.slice(0, 8);
  const scope = `${date}/${REGION}/s3/aws4_request`;
  const keys = loggers.map(({ secret }) => signingKey(secret, date));
  return Array.from({ length: count }, (_, n) => {
    const machine = (from + n) % loggers.length;
    const step = Math.floor((from + n) / loggers.length);
    const { loggerSerial, accessKey } = loggers[machine] as BenchLogger;
    const body = JSON.stringify({
      GMT_UNIX: firstSeconds + step * STEP_SECONDS,
      ...signalsOf(machine, step),
    });
    const path = `/telemetry/WS_SN${loggerSerial}/J1939Snapshot.json`;
    const bodyHash = hash('sha256', body);
    const headers =
      `content-type:application/json\nhost:${host}\n` +
      `x-amz-content-sha256:${bodyHash}\nx-amz-date:${time}\n`;
    const canonical = `PUT\n${path}\n\n${headers}\n${SIGNED_HEADERS}\n${bodyHash}`;
    const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash('sha256', canonical)}`;
    const signature = createHmac('sha256', keys[machine] as KeyObject)
      .update(toSign)
      .digest('hex');
    return Buffer.from(
      `PUT ${path} HTTP/1.1\r\n${headers.replaceAll('\n', '\r\n')}` +
        `authorization: AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${SIGNED_HEADERS}, Signature=${signature}\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}

function signingKey(secret: string, date: string): KeyObject {
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  return createSecretKey(hmac(hmac(hmac(hmac(`AWS4${secret}`, date), REGION), 's3'), 'aws4_request'));
}
