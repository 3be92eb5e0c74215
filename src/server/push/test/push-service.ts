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
import { type OutboundClient, openOutbound } from '#server/platform/outbound.ts';
import { readOutboundAllow } from '#server/platform/outbound-allow.ts';

/** How the test service treats a message: answers, or never answers. */
export type Behaviour =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | 'silence';

export type PushedMessage = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

/** Starts a push service on loopback, as in RFC 8030. It cannot decrypt the messages. */
export async function startPushService() {
  const taken: PushedMessage[] = [];
  const asked: PushedMessage[] = [];
  const behaviours = new Map<string, Behaviour>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const pushed = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
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
    /** `asked` has all requests that the service received, `taken` only those that it accepted. */
    asked,
    taken,
    /** Sets the behaviour for a device. */
    behave: (device: TestDevice, behaviour: Behaviour) =>
      void behaviours.set(new URL(device.subscription.endpoint).pathname, behaviour),
    device: () => testDevice(origin),
    close: async () => void server.close().closeAllConnections(),
  };
}

/** Returns an outbound client that may reach the test service, although no setting of the portal allows its address. */
export function openTestOutboundClient(origin: string, timeoutMs?: number): OutboundClient {
  const allow = readOutboundAllow([origin]);
  if (!allow) throw new Error(`${origin} cannot be allowed`);
  return openOutbound({ allow, ...(timeoutMs !== undefined && { timeoutMs }) });
}

/** Arguments of `node` for a portal process that can reach the test service of PUSH_SERVICE. */
export const PUSH_PROCESS_ARGUMENTS: readonly string[] = [
  '--max-semi-space-size=32',
  'src/server/push/test/portal-with-push.ts',
];

export type PushService = Awaited<ReturnType<typeof startPushService>>;

/** A browser that subscribed at the test service. */
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
    /** Decrypts a message as the browser does: RFC 8291 and RFC 8188, one record. */
    read({ body }: PushedMessage): string {
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
      // The last record ends with a 2, then zeros.
      const end = record.lastIndexOf(2);
      return record.subarray(0, end).toString('utf8');
    },
  };
}

/**
 * Returns the sender's key and claims (VAPID, RFC 8292).
 * @throws Error the signature is invalid
 */
export function readVapid({ headers }: PushedMessage): { key: string; claims: Record<string, unknown> } {
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
