/**
 * Caches the portal's pages, so that they open without a connection; the data that they then show come from
 * live-storage. Caches only files of the build, never responses of the portal. Each version has one cache,
 * complete or absent, and an open page finds the files of its own version until it is closed.
 * scripts/build-web.ts builds this worker and fills in the list of files. The worker also receives web push.
 */
import { openClickedNotification, renewSubscription, showPush } from './push.ts';
import { CACHE_PREFIX, requestKind } from './requests.ts';

declare const self: ServiceWorkerGlobalScope;

type BuiltFile = { readonly path: string; readonly integrity: string };
/** The build replaces these names by their values: the files of this version, its page, and its name. */
declare const FILES: readonly BuiltFile[];
declare const PAGE: BuiltFile;
declare const VERSION: string;

const CACHE_NAME = CACHE_PREFIX + VERSION;
const CONCURRENCY = 3;
/** If the portal takes longer than this to return the page, the cached page is shown. */
const PAGE_TIMEOUT_MS = 4_000;

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(removeOldCaches()));
self.addEventListener('fetch', (event) => {
  const kind = requestKind(event.request, self.location.origin);
  if (kind === 'asset') event.respondWith(assetFor(event.request));
  if (kind === 'page') event.respondWith(pageFor(event));
});
self.addEventListener('push', (event) => event.waitUntil(showPush(event)));
self.addEventListener('notificationclick', (event) => event.waitUntil(openClickedNotification(event)));
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(event)));

/** Caches all files, with integrity checks. Caches the page last: a cache that has the page is complete. */
async function install(): Promise<void> {
  const cache = await caches.open(CACHE_NAME);
  const waiting = [...FILES];
  const work = async (): Promise<void> => {
    for (let file = waiting.pop(); file; file = waiting.pop()) await addToCache(cache, file);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  await addToCache(cache, PAGE);
  if (!(await cachedPage())) throw new Error('The cache was deleted during the installation.');
  await self.skipWaiting();
}

async function addToCache(cache: Cache, { path, integrity }: BuiltFile): Promise<void> {
  if (await cache.match(path, IGNORE_VARY)) return;
  // A file's name contains its hash, so a file with the same name in the cache of another version has the same
  // content. The page's name contains no hash.
  const known = path === PAGE.path ? undefined : await caches.match(path, IGNORE_VARY);
  const answer = known ?? (await fetch(path, { integrity, redirect: 'error' }));
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  await cache.put(path, answer);
}

/** Option with which the cache finds a file, whatever headers the file was requested with. */
const IGNORE_VARY = { ignoreVary: true };

const cachedPage = (): Promise<Response | undefined> =>
  caches.match(PAGE.path, { cacheName: CACHE_NAME, ...IGNORE_VARY });

/** Deletes caches of versions without an open page. Each open page holds a lock named after its first script. */
async function removeOldCaches(): Promise<void> {
  const { installing, waiting } = self.registration;
  if (installing || waiting) return;
  const { held = [] } = await navigator.locks.query();
  const open = new Set(held.map(({ name }) => name));
  for (const name of await caches.keys()) {
    if (name === CACHE_NAME || !name.startsWith(CACHE_PREFIX)) continue;
    const cached = await (await caches.open(name)).keys();
    if (!cached.some(({ url }) => open.has(new URL(url).pathname))) await caches.delete(name);
  }
}

async function assetFor(request: Request): Promise<Response> {
  const cached = await caches.match(request.url, IGNORE_VARY).catch(() => undefined);
  return cached ?? fetch(request);
}

/** Returns the page from the portal, so that a new version shows at once; from the cache if the portal fails or is late. */
async function pageFor(event: FetchEvent): Promise<Response> {
  const stop = new AbortController();
  const served = fetch(event.request, { signal: stop.signal });
  served.catch(() => undefined);
  const soon = new Promise<undefined>((resolve) => setTimeout(resolve, PAGE_TIMEOUT_MS));
  const answer = await Promise.race([served, soon]).catch(() => undefined);
  if (answer && answer.status < 500) {
    event.waitUntil(checkIfRetired().catch(() => undefined));
    return answer;
  }
  const cached = await cachedPage().catch(() => undefined);
  if (cached) stop.abort();
  return cached ?? served;
}

/** Unregisters this worker and deletes its caches if the portal no longer has a service worker. */
async function checkIfRetired(): Promise<void> {
  const { status } = await fetch(self.location.href, { method: 'HEAD', cache: 'no-store' });
  if (status !== 404 && status !== 410) return removeOldCaches();
  for (const name of await caches.keys()) if (name.startsWith(CACHE_PREFIX)) await caches.delete(name);
  await self.registration.unregister();
}
