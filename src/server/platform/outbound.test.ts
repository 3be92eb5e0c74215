import { execFile } from 'node:child_process';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openOutbound, type ResolveHost } from './outbound.ts';
import { readOutboundAllow } from './outbound-allow.ts';
import { CERTIFICATE, CERTIFICATE_KEY, ROOT_CERTIFICATE } from './test/certificates.ts';

let server: Server;
let answer: RequestListener;
let port: number;
/** The requests that the server on loopback received, each with its server name (SNI). */
const asked: { host: string | undefined; servername: string; url: string; body: string }[] = [];
beforeAll(async () => {
  server = createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { servername } = request.socket as unknown as { servername: string };
    asked.push({ host: request.headers.host, servername, url: request.url ?? '', body });
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close().closeAllConnections());
afterEach(() => vi.unstubAllEnvs());

const at =
  (...addresses: string[]): ResolveHost =>
  async () =>
    addresses.map((address) => ({ address }));
const neverResolve: ResolveHost = async (host) => {
  throw new Error(`${host} was looked up`);
};
const outbound = (allow: readonly string[], resolve: ResolveHost, timeoutMs?: number) =>
  openOutbound({
    allow: readOutboundAllow(allow) ?? expect.unreachable('not read'),
    resolve,
    ca: ROOT_CERTIFICATE,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
/** Returns a URL of the server on loopback, with a host name that the operator allowed. */
const named = (path = '/', host = 'inlog.example.nl') => `https://${host}:${port}${path}`;
const toServer = (timeoutMs?: number) =>
  outbound([`inlog.example.nl:${port}`, `anders.example.nl:${port}`], at('127.0.0.1'), timeoutMs);

/** Addresses that the portal does not connect to, in all spellings. */
const REFUSED = `
  127.0.0.1 127.8.9.1 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1
  100.127.255.255 192.0.0.1 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 192.88.99.1 224.0.0.1
  239.255.255.255 240.0.0.1 255.255.255.255
  ::1 :: fe80::1 fe80::1%eth0 fec0::1 fc00::1 fd12:3456::1 ff02::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:a00:1 ::127.0.0.1
  64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::a00:1 2002:7f00:1:: 2002:808:808::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2
  2001:db8::1 2001:20::1 3fff::1 100::1 4000::1 no-address`
  .trim()
  .split(/\s+/);

test.each(REFUSED)(
  'a host name that resolves to %s is not connected to, even when it also has a public address (13.11a)',
  async (address) => {
    for (const resolve of [at(address), at('93.184.216.34', address), at(address, '2606:2800:220:1::1')])
      await expect(outbound([], resolve).fetch('https://inlog.example.nl/')).rejects.toMatchObject({
        name: 'OutboundError',
        reason: 'refused',
      });
  },
);

test.each([
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://017700000001/',
  'https://127.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[fe80::1]/',
  'https://169.254.169.254/latest/meta-data/',
])('the URL %s is refused without a lookup (13.11a)', async (url) => {
  await expect(outbound([], neverResolve).fetch(url)).rejects.toMatchObject({ reason: 'refused' });
});

test.each([
  ['http://inlog.example.nl/', 'not https'],
  ['ftp://inlog.example.nl/', 'not https'],
  ['https://inlog.example.nl:8443/', 'a port that is not allowed'],
  ['https://inlog.example.nl:80/', 'a port that is not allowed'],
  ['https://user:password@inlog.example.nl/', 'credentials in the address'],
  ['https://user@inlog.example.nl/', 'credentials in the address'],
])('%s is refused before its name is looked up: %s (13.11a)', async (url, why) => {
  const failure = outbound([], neverResolve).fetch(url);
  await expect(failure).rejects.toMatchObject({ reason: 'refused' });
  await expect(failure).rejects.toThrow(why);
});

test('the portal may connect to public IPv4 and IPv6 addresses (13.11a)', () => {
  const { mayConnect } = readOutboundAllow([]) ?? expect.unreachable();
  const url = new URL('https://inlog.example.nl/');
  for (const address of [
    '93.184.216.34',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ])
    expect([address, mayConnect(url, address)]).toEqual([address, true]);
});

test('a request connects to the address that was checked, with the name in Host, SNI and certificate (13.11b)', async () => {
  answer = (_, response) => void response.setHeader('x-own', 'yes').end('{"a":1}');
  let lookups = 0;
  // A name that resolves to another address at each lookup.
  const resolve: ResolveHost = async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '127.0.0.2' }];
  const got = await outbound([`inlog.example.nl:${port}`], resolve).fetch(named('/x?y=1'), {
    method: 'POST',
    body: new URLSearchParams({ a: 'é' }),
  });
  expect([got.status, got.headers.get('x-own'), await got.json(), lookups]).toEqual([
    200,
    'yes',
    { a: 1 },
    1,
  ]);
  expect(asked.at(-1)).toEqual({
    host: `inlog.example.nl:${port}`,
    servername: 'inlog.example.nl',
    url: '/x?y=1',
    body: 'a=%C3%A9',
  });
});

test('an outbound request fails on an invalid certificate, whatever NODE_TLS_REJECT_UNAUTHORIZED says (13.11b)', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const before = asked.length;
  await expect(toServer().fetch(named('/', 'anders.example.nl'))).rejects.toMatchObject({
    reason: 'unreachable',
  });
  const untrusting = openOutbound({
    allow: readOutboundAllow([`inlog.example.nl:${port}`]) ?? expect.unreachable(),
    resolve: at('127.0.0.1'),
  });
  await expect(untrusting.fetch(named())).rejects.toMatchObject({ reason: 'unreachable' });
  expect(asked.length).toBe(before);
});

test('an outbound request returns a redirect and does not follow it (13.11b)', async () => {
  answer = (_, response) => void response.writeHead(302, { location: named('/elders') }).end();
  const before = asked.length;
  const got = await toServer().fetch(named());
  expect([got.status, got.headers.get('location'), asked.length - before]).toEqual([
    302,
    named('/elders'),
    1,
  ]);
});

test('an outbound request accepts an answer of 64 kB, and refuses a larger or compressed one (13.11b)', async () => {
  answer = (_, response) => void response.end('x'.repeat(64 * 1024));
  expect(await (await toServer().fetch(named())).text()).toHaveLength(64 * 1024);
  answer = (_, response) => void response.end('x'.repeat(64 * 1024 + 1));
  await expect(toServer().fetch(named())).rejects.toMatchObject({ reason: 'unusable' });
  answer = (_, response) => void response.setHeader('content-encoding', 'gzip').end('x');
  await expect(toServer().fetch(named())).rejects.toMatchObject({ reason: 'unusable' });
});

test.each([
  ['a lookup that hangs', () => outbound([], () => new Promise(() => {}), 300)],
  [
    'a server that says nothing',
    () => {
      answer = () => {};
      return toServer(300);
    },
  ],
  [
    'a server that sends a byte at a time',
    () => {
      answer = (_, response) => {
        const drip = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(drip));
      };
      return toServer(300);
    },
  ],
])('a request is given up in time for %s (13.11b)', async (what, open) => {
  const since = performance.now();
  const url = what.startsWith('a lookup') ? 'https://inlog.example.nl/' : named();
  await expect(open().fetch(url)).rejects.toMatchObject({ reason: 'slow' });
  expect(performance.now() - since).toBeLessThan(2_000);
});

test('an outbound request does not use a proxy from the environment (13.11b)', async () => {
  answer = (_, response) => void response.end('direct');
  let proxied = 0;
  const proxy = createHttpServer(() => {}).on('connect', (_, socket) => {
    proxied += 1;
    socket.end('HTTP/1.1 502 no\r\n\r\n');
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const script = `
    const { openOutbound } = await import('#server/platform/outbound.ts');
    const { readOutboundAllow } = await import('#server/platform/outbound-allow.ts');
    const { ROOT_CERTIFICATE: ca } = await import('#server/platform/test/certificates.ts');
    const own = openOutbound({ allow: readOutboundAllow(['inlog.example.nl:${port}']), ca, resolve: async () => [{ address: '127.0.0.1' }] });
    console.log(await (await own.fetch('${named()}')).text());
    // The global agent would send this request through the proxy.
    await fetch('https://inlog.example.nl/').catch(() => {});`;
  const at = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const env = { PATH: process.env.PATH, NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: at, https_proxy: at };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env,
  });
  proxy.close();
  expect([stdout.trim(), proxied]).toEqual(['direct', 1]);
});

const HTTPS = new URL('https://inlog.intern.nl/');
const PORT = new URL('https://inlog.intern.nl:8443/');
const OTHER = new URL('https://elders.nl/');
const PLAIN = new URL('http://localhost:4000/');
test.each([
  [['inlog.intern.nl'], HTTPS, '10.1.2.3', true],
  [['INLOG.Intern.nl'], HTTPS, '10.1.2.3', true],
  [['inlog.intern.nl'], PORT, '10.1.2.3', false],
  [['inlog.intern.nl'], OTHER, '10.1.2.3', false],
  [['inlog.intern.nl'], HTTPS, '0.0.0.0', false],
  [['inlog.intern.nl'], HTTPS, '::', false],
  [['inlog.intern.nl'], HTTPS, '224.0.0.1', false],
  [['inlog.intern.nl:8443'], PORT, '10.1.2.3', true],
  [['inlog.intern.nl:8443'], HTTPS, '10.1.2.3', false],
  [['10.1.0.0/16'], OTHER, '10.1.2.3', true],
  [['10.1.0.0/16'], OTHER, '10.2.2.3', false],
  [['10.1.0.0/16'], PORT, '10.1.2.3', false],
  [['fd00::/8'], HTTPS, 'fd00::1', true],
  [['fd00::/8'], HTTPS, '10.1.2.3', false],
  [['https://inlog.intern.nl'], HTTPS, '10.1.2.3', undefined],
  [['http://localhost:4000'], PLAIN, '127.0.0.1', true],
  [['http://localhost:4000'], PLAIN, '::1', true],
  [['http://localhost:4000'], PLAIN, '10.1.2.3', false],
  [['http://localhost:4000'], new URL('http://localhost:4001/'), '127.0.0.1', false],
  [['localhost:4000'], PLAIN, '127.0.0.1', false],
  [['http://inlog.intern.nl'], PLAIN, '127.0.0.1', undefined],
  [['http://10.1.2.3'], PLAIN, '127.0.0.1', undefined],
  [['10.1.0.0/33'], OTHER, '10.1.2.3', undefined],
  [['*.intern.nl'], HTTPS, '10.1.2.3', undefined],
  [['inlog.intern.nl:0'], HTTPS, '10.1.2.3', undefined],
  [['inlog.intern.nl:99999'], HTTPS, '10.1.2.3', undefined],
  [['a@inlog.intern.nl'], HTTPS, '10.1.2.3', undefined],
] as const)(
  'with the allowed hosts %j, whether %s at %s may be requested is %s (13.11c)',
  (entries, url, address, is) => {
    const allow = readOutboundAllow(entries);
    expect(allow && allow.refusalOf(url) === undefined && allow.mayConnect(url, address)).toBe(is);
  },
);
