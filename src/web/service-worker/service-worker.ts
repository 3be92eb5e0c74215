/**
 * Keeps the portal's pages in the browser, so that they open without a connection: what they then show is live-storage's.
 * Of the portal's answers it keeps none, only files of the build. It has one copy per version, whole or not at all, and a
 * page finds the files of its own version until it is closed. Built by
 * scripts/build-web.ts, which says which files there are. What is pushed to the browser is heard here too.
 */
import { followNotice, renewSubscription, showPush } from './push.ts';
import { COPIES, kindOf } from './requests.ts';

declare const self: ServiceWorkerGlobalScope;

type BuiltFile = { readonly path: string; readonly integrity: string };
/** What the build puts in their place: the files of this version, and the page; and a name for them all. */
declare const FILES: readonly BuiltFile[];
declare const PAGE: BuiltFile;
declare const VERSION: string;

const COPY = COPIES + VERSION;
const AT_ONCE = 3;
/** A portal that takes longer to answer is as good as gone, where there is a copy. */
const PATIENCE_MS = 4_000;

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(removeOld()));
self.addEventListener('fetch', (event) => {
  const kind = kindOf(event.request, self.location.origin);
  if (kind === 'asset') event.respondWith(assetFor(event.request));
  if (kind === 'page') event.respondWith(pageFor(event));
});
self.addEventListener('push', (event) => event.waitUntil(showPush(event)));
self.addEventListener('notificationclick', (event) => event.waitUntil(followNotice(event)));
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(event)));

/** All files, byte for byte those of the build, or no new version. The page comes last: a copy that has it is whole. */
async function install(): Promise<void> {
  const copy = await caches.open(COPY);
  const waiting = [...FILES];
  const work = async (): Promise<void> => {
    for (let file = waiting.pop(); file; file = waiting.pop()) await keep(copy, file);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await keep(copy, PAGE);
  if (!(await keptPage())) throw new Error('The copy was removed while it was made.');
  await self.skipWaiting();
}

async function keep(copy: Cache, { path, integrity }: BuiltFile): Promise<void> {
  if (await copy.match(path, LOOSELY)) return;
  // What stands under the same name in the copy of another version is the same file, but for the page.
  const known = path === PAGE.path ? undefined : await caches.match(path, LOOSELY);
  const answer = known ?? (await fetch(path, { integrity, redirect: 'error' }));
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  await copy.put(path, answer);
}

/** Which headers a file was once asked with makes no other file of it. */
const LOOSELY = { ignoreVary: true };

const keptPage = (): Promise<Response | undefined> =>
  caches.match(PAGE.path, { cacheName: COPY, ...LOOSELY });

/** Copies of versions of which no page is open. Each open page holds a lock that is called as its first script. */
async function removeOld(): Promise<void> {
  const { installing, waiting } = self.registration;
  if (installing || waiting) return;
  const { held = [] } = await navigator.locks.query();
  const open = new Set(held.map(({ name }) => name));
  for (const name of await caches.keys()) {
    if (name === COPY || !name.startsWith(COPIES)) continue;
    const kept = await (await caches.open(name)).keys();
    if (!kept.some(({ url }) => open.has(new URL(url).pathname))) await caches.delete(name);
  }
}

async function assetFor(request: Request): Promise<Response> {
  const kept = await caches.match(request.url, LOOSELY).catch(() => undefined);
  return kept ?? fetch(request);
}

/** As the portal serves it, so that a new version shows at once; the copy where it does not, or is at fault. */
async function pageFor(event: FetchEvent): Promise<Response> {
  const stop = new AbortController();
  const served = fetch(event.request, { signal: stop.signal });
  served.catch(() => undefined);
  const soon = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
  const answer = await Promise.race([served, soon]).catch(() => undefined);
  if (answer && answer.status < 500) {
    event.waitUntil(tidy().catch(() => undefined));
    return answer;
  }
  const kept = await keptPage().catch(() => undefined);
  if (kept) stop.abort();
  return kept ?? served;
}

/** A portal that has no service worker any more wants none. */
async function tidy(): Promise<void> {
  const { status } = await fetch(self.location.href, { method: 'HEAD', cache: 'no-store' });
  if (status !== 404 && status !== 410) return removeOld();
  for (const name of await caches.keys()) if (name.startsWith(COPIES)) await caches.delete(name);
  await self.registration.unregister();
}
