import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Outbound, openOutbound } from '#server/platform/outbound.ts';
import { readOutboundAllow } from '#server/platform/outbound-allow.ts';

/** What a push service does with a message: answers, or says nothing at all. */
export type Behaviour =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | 'silence';

export type Pushed = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

/**
 * A push service on loopback, as RFC 8030 has it: it takes what is signed for it by the key that the subscription was made
 * with, and cannot read it.
 */
export async function startPushService() {
  const taken: Pushed[] = [];
  const asked: Pushed[] = [];
  const behaviours = new Map<string, Behaviour>();
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const pushed = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(pieces) };
    asked.push(pushed);
    const behaviour = behaviours.get(pushed.path) ?? { status: 201 };
    if (behaviour === 'silence') return;
    if (behaviour.status === 201) taken.push(pushed);
    response.writeHead(behaviour.status, behaviour.headers).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    /** What was asked of it, and of that what it took. */
    asked,
    taken,
    /** From now on, of that device. */
    behave: (device: TestDevice, behaviour: Behaviour) =>
      void behaviours.set(new URL(device.subscription.endpoint).pathname, behaviour),
    device: () => testDevice(origin),
    close: async () => void server.close().closeAllConnections(),
  };
}

/** Returns the way out of push with the test service allowed, which no setting can do. */
export function outboundTo(origin: string, timeoutMs?: number): Outbound {
  const allow = readOutboundAllow([origin]);
  if (!allow) throw new Error(`${origin} cannot be allowed`);
  return openOutbound({ allow, ...(timeoutMs !== undefined && { timeoutMs }) });
}

/** Arguments of `node` for a portal process that reaches the test service of PUSH_SERVICE. */
export const START_WITH_PUSH: readonly string[] = [
  '--max-semi-space-size=32',
  'src/server/push/test/portal-with-push.ts',
];

export type PushService = Awaited<ReturnType<typeof startPushService>>;

/** A browser that subscribed there. */
export type TestDevice = ReturnType<typeof testDevice>;

function testDevice(origin: string) {
  const own = createECDH('prime256v1');
  own.generateKeys();
  const auth = randomBytes(16);
  const path = `/push/${randomBytes(16).toString('base64url')}`;
  return {
    path,
    subscription: {
      endpoint: `${origin}${path}`,
      keys: { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
    /** What the browser reads: RFC 8291 and RFC 8188, one record. */
    read({ body }: Pushed): string {
      const salt = body.subarray(0, 16);
      const keyLength = body.readUInt8(20);
      const senders = body.subarray(21, 21 + keyLength);
      const sealed = body.subarray(21 + keyLength);
      const about = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), senders]);
      const shared = createHmac('sha256', auth).update(own.computeSecret(senders)).digest();
      const secret = createHmac('sha256', shared).update(about).update('\x01').digest();
      const derived = (what: string, bytes: number) =>
        Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${what}\0`, bytes));
      const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
      decipher.setAuthTag(sealed.subarray(-16));
      const record = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      // The last record ends with a 2, and zeros.
      const end = record.lastIndexOf(2);
      return record.subarray(0, end).toString('utf8');
    },
  };
}

/** What the sender says of itself (VAPID, RFC 8292). @throws when the key did not sign it */
export function readVapid({ headers }: Pushed): { key: string; claims: Record<string, unknown> } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('The key did not sign it.');
  const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  if (read(head).alg !== 'ES256') throw new Error('It is signed by another algorithm.');
  return { key, claims: read(claims) };
}
