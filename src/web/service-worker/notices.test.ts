import { expect, test } from 'vitest';
import { pushPayload } from '#shared/domain/push-notice.ts';
import { noticeOf, shownAs, wayOf, windowFor } from './notices.ts';

const PORTAL = 'https://portaal.nl';
const NOTICE = {
  id: 'alert 1',
  title: 'Accu laag: Kraan 1',
  body: 'Nog 12 %. Zet hem aan de lader.',
  path: '/machine/K-1',
  tag: 'alert-1',
  urgent: false,
};

test('16.5i what the portal sends is what is shown, and rings again only when it is urgent', () => {
  const notice = noticeOf(pushPayload(NOTICE));
  expect(notice).toEqual(NOTICE);
  expect(shownAs(notice)).toMatchObject({
    body: NOTICE.body,
    tag: 'alert-1',
    renotify: false,
    data: '/machine/K-1',
    lang: 'nl',
  });
  expect(shownAs({ ...NOTICE, urgent: true }).renotify).toBe(true);
  // Browsers refuse to ring again for what is of no thread.
  expect(shownAs({ ...NOTICE, urgent: true, tag: '' }).renotify).toBe(false);
});

test.each([
  ['nothing', undefined],
  ['an empty text', ''],
  ['no JSON', 'Accu laag'],
  ['another one’s', '{"title":"Gratis!"}'],
  ['null', 'null'],
])('16.5i of a push with %s it is said that it cannot be read', (_, text) => {
  const notice = noticeOf(text);
  expect(notice.title).toBe('Melding van het portaal');
  expect(notice.body).toContain('niet te lezen');
  expect(wayOf(notice.path, PORTAL)).toBe('/');
});

test.each<[unknown, string]>([
  ['/machine/K-1', '/machine/K-1'],
  ['/machine/A%20B', '/machine/A%20B'],
  ['/?machine=K-1', '/?machine=K-1'],
  ['/account#meldingen', '/account#meldingen'],
  ['account', '/account'],
  [`${PORTAL}/overzicht`, '/overzicht'],
  ['//elders.nl/account', '/'],
  ['https://elders.nl/account', '/'],
  ['javascript:alert(1)', '/'],
  ['http://[', '/'],
  ['/api/auth/oidc/start', '/'],
  ['/machine/../api/docs', '/'],
  ['/telemetry/A_SN1234567/snapshot.json', '/'],
  ['/machine/x?X-Amz-Signature=1a2b', '/'],
  [undefined, '/'],
  [null, '/'],
  [{}, '/'],
])('16.5j a press on a notification for %j leads to %s', (path, way) =>
  expect(wayOf(path, PORTAL)).toBe(way),
);

const open = (path: string, look: 'focused' | 'visible' | 'hidden' = 'hidden') => ({
  url: new URL(path, PORTAL).href,
  focused: look === 'focused',
  visibilityState: look === 'hidden' ? ('hidden' as const) : ('visible' as const),
});
test.each([
  ['none is open', [], undefined],
  ['the one that shows it already', [open('/', 'focused'), open('/machine/K-1')], '/machine/K-1'],
  [
    'the one that is looked at',
    [open('/account'), open('/', 'visible'), open('/users', 'focused')],
    '/users',
  ],
  ['one in sight', [open('/account'), open('/users', 'visible')], '/users'],
  ['any page', [open('/account')], '/account'],
  [
    'no photo, file or page of another site',
    [open('/api/img/A/1', 'focused'), open('https://elders.nl/')],
    undefined,
  ],
])('16.5j it goes to the window of the portal: %s', (_, windows, expected) =>
  expect(windowFor(windows, '/machine/K-1', PORTAL)?.url).toBe(expected && new URL(expected, PORTAL).href),
);
