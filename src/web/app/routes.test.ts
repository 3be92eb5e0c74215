import { matchRoutes } from 'react-router';
import { expect, test } from 'vitest';
import type { Pages } from '#web/lib/page-declaration.ts';
import { pageSegments } from './page-segments.ts';
import { pages } from './pages.ts';
import { routes } from './routes.tsx';

/** Returns the pattern of the page at `path`. */
const patternOf = (path: string): string | undefined => matchRoutes(routes, path)?.at(-1)?.route.path;

test.each([
  ['/signin', '/signin'],
  ['/overzicht', '/overzicht'],
  ['/machine', '/machine'],
  ['/machine/handleiding', '/machine/handleiding'],
  ['/machine/nieuw', '/machine/nieuw'],
  ['/machine/edit/VO-1000', '/machine/edit/:serialNumber'],
  ['/machine/edit/VO-1000/definitie', '/machine/edit/:serialNumber/definitie'],
  ['/machine/VO-1000', '/machine/:serialNumber'],
  ['/machine/a%20b.c_d', '/machine/:serialNumber'],
  ['/lmb-logging', '/lmb-logging'],
  ['/lmb-logging/nieuw', '/lmb-logging/nieuw'],
  ['/lmb-logging/Krol%206', '/lmb-logging/:alias'],
  ['/organization', '/organization'],
  ['/organization/nieuw', '/organization/nieuw'],
  ['/organization/klant-1', '/organization/:name'],
  ['/organization/klant-1/webhooks', '/organization/:name/webhooks'],
  ['/organization/klant-1/werkweek', '/organization/:name/werkweek'],
  ['/rapporten', '/rapporten'],
  ['/rapporten/inzet', '/rapporten/:kind'],
  ['/rapporten/factoren', '/rapporten/factoren'],
  ['/Users', '/Users'],
  ['/logboek', '/logboek'],
  ['/meldingen', '/meldingen'],
  ['/meldingen/regels', '/meldingen/regels'],
  ['/account', '/account'],
  ['/test', '/test'],
])(
  'the address %s is a page of the portal, with and without a trailing slash (APP-03, 13.2a, 15.1f, 16.1c, 16.5u, 16.8a)',
  (path, pattern) => {
    expect(patternOf(path)).toBe(pattern);
    expect(patternOf(`${path}/`)).toBe(pattern);
  },
);

test.each(Object.values(pages).map(({ path }) => path))(
  'the declared page %s exists, with and without a trailing slash (APP-03)',
  (path) => {
    const address = path.replace(/:\w+/g, 'x');
    expect(patternOf(address)).toBe(path);
    expect(patternOf(`${address}/`)).toBe(path);
  },
);

test('the list of pages contains the pages of every feature, and no two pages have the same address or place in the menu', () => {
  const features = import.meta.glob<Readonly<Record<string, Pages>>>('/src/web/features/*/pages.ts', {
    eager: true,
  });
  const declared = Object.values(features).flatMap((module) => Object.values(module).flatMap(Object.values));
  const all = Object.values(pages);
  // Three more pages, which combine features, are declared in pages.ts.
  expect(all).toHaveLength(declared.length + 3);
  const paths = all.map(({ path }) => path);
  const places = all.flatMap(({ menu }) => (menu ? [menu.place] : []));
  expect([new Set(paths).size, new Set(places).size]).toEqual([paths.length, places.length]);
});

test('/ is the home page (APP-03)', () => expect(patternOf('/')).toBe('/'));

test.each([
  '/bestaat-niet',
  '/meldingen/a',
  '/machine/a/b',
  '/organization/a/b',
  '/lmb-logging/a/b',
  '/signin/x',
])('%s is an unknown page (APP-04)', (path) => expect(patternOf(path)).toBe('*'));

test('every page requires a session, except /signin and the targets of mailed links (APP-01)', () => {
  const outside = routes.filter(({ children }) => children === undefined);
  expect(outside.map(({ path }) => path)).toEqual(['/signin', '/uitnodiging', '/bevestigen']);
  expect(routes.filter(({ children }) => children !== undefined)).toHaveLength(1);
});

test('the service worker knows the first path segment of every page, and no other segments (15.9b)', () => {
  const paths = (list: typeof routes): string[] =>
    list.flatMap(({ path, children = [] }) => [...(path === undefined ? [] : [path]), ...paths(children)]);
  const pages = paths(routes).filter((path) => path !== '*');
  expect(pageSegments).toEqual(
    [...new Set(pages.map((path) => path.split('/')[1]?.toLowerCase()))].toSorted(),
  );
});
