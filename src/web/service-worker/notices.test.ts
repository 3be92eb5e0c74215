import { expect, test } from 'vitest';
import { pushPayload } from '#shared/domain/push-notice.ts';
import { findWindow, notificationOptions, pagePath, readNotice } from './notices.ts';

// Sets PAGE_SEGMENTS, which the build fills in.
Object.assign(globalThis, {
  PAGE_SEGMENTS: ['', 'account', 'machine', 'meldingen', 'overzicht', 'rapporten', 'signin', 'users'],
});

const PORTAL = 'https://portaal.nl';
const NOTICE = {
  id: 'alert 1',
  title: 'Accu laag: Kraan 1',
  body: 'Nog 12 %. Zet hem aan de lader.',
  path: '/machine/K-1',
  tag: 'alert-1',
  urgent: false,
};

test('a push is shown as the portal sent it, and a push that replaces one with the same tag alerts again only if it is urgent (16.5i)', () => {
  const notice = readNotice(pushPayload(NOTICE));
  expect(notice).toEqual(NOTICE);
  expect(notificationOptions(notice)).toMatchObject({
    body: NOTICE.body,
    tag: 'alert-1',
    renotify: false,
    data: '/machine/K-1',
    lang: 'nl',
  });
  expect(notificationOptions({ ...NOTICE, urgent: true }).renotify).toBe(true);
  // Browsers refuse `renotify` without a tag.
  expect(notificationOptions({ ...NOTICE, urgent: true, tag: '' }).renotify).toBe(false);
});

test.each([
  ['nothing', undefined],
  ['an empty text', ''],
  ['no JSON', 'Accu laag'],
  ['another one’s', '{"title":"Gratis!"}'],
  ['null', 'null'],
])('a push with %s shows that it cannot be read (16.5i)', (_, text) => {
  const notice = readNotice(text);
  expect(notice.title).toBe('Melding van het portaal');
  expect(notice.body).toContain('niet te lezen');
  expect(pagePath(notice.path, PORTAL)).toBe('/');
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
])('a click on a notification for %j opens %s (16.5j)', (path, way) =>
  expect(pagePath(path, PORTAL)).toBe(way),
);

const open = (path: string, state: 'focused' | 'visible' | 'hidden' = 'hidden') => ({
  url: new URL(path, PORTAL).href,
  focused: state === 'focused',
  visibilityState: state === 'hidden' ? ('hidden' as const) : ('visible' as const),
});
test.each([
  ['no window is open', [], undefined],
  ['the window that already shows the page', [open('/', 'focused'), open('/machine/K-1')], '/machine/K-1'],
  ['the focused window', [open('/account'), open('/', 'visible'), open('/users', 'focused')], '/users'],
  ['a visible window', [open('/account'), open('/users', 'visible')], '/users'],
  ['any window of the portal', [open('/account')], '/account'],
  [
    'no photo, file or page of another site',
    [open('/api/img/A/1', 'focused'), open('https://elders.nl/')],
    undefined,
  ],
])('a click on a notification uses this window: %s (16.5j)', (_, windows, expected) =>
  expect(findWindow(windows, '/machine/K-1', PORTAL)?.url).toBe(expected && new URL(expected, PORTAL).href),
);
