import { expect, test } from 'vitest';
import { pathAfterSignIn, requestedPageState } from './sign-in-route.tsx';

test.each([
  '/',
  '/machine/',
  '/machine/VO-1000?a=1&b=%2F',
  '/lmb-logging/Krol%206',
  '/Users/',
  '/machine/a:b',
])('a login continues to the requested page %s (AUTH-02)', (next) =>
  expect(pathAfterSignIn({ next })).toBe(next),
);

test.each([
  ['nothing', undefined],
  ['null', null],
  ['no state of ours', { other: '/x' }],
  ['no text', { next: 7 }],
  ['empty', { next: '' }],
  ['another host', { next: '//evil.example/x' }],
  ['another host with a backslash', { next: '/\\evil.example' }],
  ['another host with a backslash later', { next: '/x\\..\\\\evil.example' }],
  ['another host with a tab, which URLs drop', { next: '/\t/evil.example' }],
  ['another host with a line end', { next: '/\n/evil.example' }],
  ['a whole address', { next: 'https://evil.example/' }],
  ['a script', { next: 'javascript:alert(1)' }],
  ['a relative path', { next: 'machine/' }],
  ['the sign-in page', { next: '/signin' }],
  ['the sign-in page in other words', { next: '/x/../SignIn/?a=1' }],
])('a login continues to / when the requested page is %s (AUTH-02)', (_, state) => {
  expect(pathAfterSignIn(state)).toBe('/');
});

test('after the sign-in the requested page opens, with its query and hash (AUTH-02)', () => {
  expect(
    pathAfterSignIn(requestedPageState({ pathname: '/machine/A%20B', search: '?x=1', hash: '#code' })),
  ).toBe('/machine/A%20B?x=1#code');
});
