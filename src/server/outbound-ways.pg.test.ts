import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PushService, startPushService } from '#server/push/test/push-service.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { type Receiver, startReceiver } from '#server/webhooks/test/receiver.ts';

let portal: TestPortal;
let manager: string;
let admin: string;
let oidcHost: Receiver;
let webhookHost: Receiver;
let pushService: PushService;
beforeAll(async () => {
  [oidcHost, webhookHost, pushService] = await Promise.all([
    startReceiver(false),
    startReceiver(false),
    startPushService(),
  ]);
  portal = await testPortal({
    OUTBOUND_ALLOW_OIDC: originOf(oidcHost),
    OUTBOUND_ALLOW_WEBHOOKS: originOf(webhookHost),
  });
  await portal.user('baas@klant.nl', await portal.organization('klant'), 'beheerder');
  await portal.user('admin@portaal.nl', await portal.organization('admin'));
  manager = await portal.login('baas@klant.nl');
  admin = await portal.login('admin@portaal.nl');
});
afterAll(async () => {
  await portal.close();
  await Promise.all([oidcHost, webhookHost, pushService].map((server) => server.close()));
});

const originOf = ({ port }: Receiver) => `http://localhost:${port}`;
const post = async (url: string, cookie: string, payload: object) => {
  const answer = await portal.app.inject({ method: 'POST', url, payload, headers: { cookie } });
  return `${answer.statusCode} ${answer.json().message}`;
};

/**
 * Functions, one for each kind of outbound request. Each makes the portal send such a request to an origin, and returns the status and
 * message of the portal's answer.
 */
const WAYS = {
  oidc: (origin: string) =>
    post('/api/organization/oidc', admin, {
      name: 'klant',
      issuer: origin,
      domain: 'klant.example',
      clientId: 'portaal',
      clientSecret: 'geheim',
    }),
  webhook: (origin: string) =>
    post('/api/webhook/create', manager, {
      name: 'klant',
      webhookName: 'Planning',
      webhookUrl: `${origin}/melding`,
    }),
  push: (origin: string) => {
    const { subscription, path } = pushService.device();
    return post('/api/push/subscribe', manager, { ...subscription, endpoint: origin + path });
  },
};
const REFUSED = /^400 .*daar (mag het portaal niet heen|stuurt het portaal niets heen)/;

test.each([
  ['oidc', 'webhook'],
  ['oidc', 'push'],
  ['webhook', 'oidc'],
  ['webhook', 'push'],
] as const)('an internal address that is allowed for %s is refused for %s (13.11c)', async (allowed, way) => {
  const answer = await WAYS[way](originOf(allowed === 'oidc' ? oidcHost : webhookHost));
  expect(answer).toMatch(REFUSED);
  expect([...oidcHost.received, ...webhookHost.received]).toEqual([]);
});

test('an internal address is reachable only for its allowed purpose (13.11c)', async () => {
  expect(await WAYS.oidc(originOf(oidcHost))).toMatch(/is geen inlogdienst/);
  expect(oidcHost.received.map(({ path }) => path)).toContain('/.well-known/openid-configuration');
  expect(await WAYS.webhook(originOf(webhookHost))).toMatch(/^200/);
});

test('no setting makes an internal push service reachable (13.11c)', async () => {
  expect(await WAYS.push(pushService.origin)).toMatch(REFUSED);
});
