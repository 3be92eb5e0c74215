import { expect, test } from 'vitest';
import { requestKind } from './requests.ts';

// Sets PAGE_SEGMENTS, which the build fills in.
Object.assign(globalThis, {
  PAGE_SEGMENTS: ['', 'account', 'machine', 'meldingen', 'overzicht', 'rapporten', 'signin', 'users'],
});

const PORTAL = 'https://portaal.nl';
const AWS4 = 'AWS4-HMAC-SHA256 Credential=AK/20261123/eu/s3/aws4_request';
const asked = (
  path: string,
  mode: RequestMode,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) => requestKind({ method, mode, url: new URL(path, PORTAL).href, headers: new Headers(headers) }, PORTAL);

test.each([
  '/',
  '/?kaart=52.1,5.3,16',
  '/overzicht?muur',
  '/machine/HB.2000',
  '/machine/edit/A%20B/definitie',
  '/Users/',
  '/users',
  '/rapporten/inzet?week=3',
  '/signin',
])('the service worker answers for the page %s (15.9b)', (path) =>
  expect(asked(path, 'navigate')).toBe('page'),
);

test.each([
  ['a script', '/assets/index-1a2b.js', 'cors'],
  ['a style sheet', '/assets/index-1a2b.css', 'no-cors'],
  ['a worker', '/assets/live-worker-1a2b.js', 'same-origin'],
] as const)('the service worker caches %s of the build (15.9a)', (_, path, mode) =>
  expect(asked(path, mode)).toBe('asset'),
);

test.each<[string, string, RequestMode, { method?: string; headers?: Record<string, string> }?]>([
  ['a call', '/api/live', 'cors'],
  ['a call in capitals', '/API/live', 'cors'],
  ['a photo', '/api/img/A/1a2b', 'no-cors'],
  ['a file that is downloaded', '/api/report/inzet/file?format=csv', 'navigate'],
  ['the start of a sign-in by a provider', '/api/auth/oidc/start', 'navigate'],
  ['the page that documents the calls', '/api/docs', 'navigate'],
  ['a tile', '/tiles/street/1/0/0', 'no-cors'],
  ['health', '/healthz', 'navigate'],
  ['metrics', '/metrics', 'navigate'],
  ['the manifest', '/manifest.webmanifest', 'cors'],
  ['the worker itself', '/service-worker.js', 'same-origin'],
  ['security.txt', '/.well-known/security.txt', 'navigate'],
  ['an address that is no page', '/nothing/here', 'navigate'],
  ['a page that is read by a script', '/overzicht', 'cors'],
  ['a form', '/signin', 'navigate', { method: 'POST' }],
  ['a HEAD', '/', 'navigate', { method: 'HEAD' }],
  ['an upload', '/telemetry/E2E_SN1234567/snapshot.json', 'cors', { method: 'PUT' }],
  ['an object of a logger', '/telemetry/E2E_SN1234567/snapshot.json', 'navigate'],
  ['a request with a signature in a header', '/', 'navigate', { headers: { authorization: AWS4 } }],
  ['a request with a signature in the address', '/machine/x?X-Amz-Signature=1a2b', 'navigate'],
  ['a part of a file', '/assets/a.js', 'cors', { headers: { range: 'bytes=0-9' } }],
  ['another host', 'https://elders.nl/assets/a.js', 'cors'],
])('the service worker leaves %s to the network (15.9b)', (_, path, mode, rest) =>
  expect(asked(path, mode, rest)).toBe('other'),
);
