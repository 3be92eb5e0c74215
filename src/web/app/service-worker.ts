/** Registers the service worker and receives its messages. The portal also works in browsers without a service worker. */
import type { NavigateMessage } from '#web/service-worker/notices.ts';
import { CACHE_PREFIX } from '#web/service-worker/requests.ts';

/**
 * Holds a lock that makes the service worker keep the files of this version of the portal while the page is open.
 * @param entry address of the version's first script
 */
export function holdVersionLock(entry: string): void {
  if (!isPossible()) return;
  const untilClosed = (): Promise<never> => new Promise(() => undefined);
  navigator.locks.request(new URL(entry).pathname, { mode: 'shared' }, untilClosed).catch(() => undefined);
}

/** Delay of the registration: a new worker first fetches the code of all pages, which must not slow down the open page. */
const REGISTER_AFTER_MS = 2_000;

/** Registers the worker a few seconds after the page opened. @returns a function that cancels the registration before then */
export function registerServiceWorkerSoon(): () => void {
  if (!isPossible()) return () => undefined;
  const timer = setTimeout(() => {
    // The browser updates an existing worker. Another registration would restore a worker that has unregistered.
    if (navigator.serviceWorker.controller) return;
    navigator.serviceWorker
      .register('/service-worker.js', { updateViaCache: 'none' })
      .catch(removeCopies)
      .catch(() => undefined);
  }, REGISTER_AFTER_MS);
  return () => clearTimeout(timer);
}

/** Calls `go` with the path of a notification that the user clicks while the portal is open. */
export function listenToNotices(go: (path: string) => void): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<NavigateMessage>) =>
    go(data.goTo),
  );
}

/** Deletes the service worker's caches if the browser removed the worker because the server no longer has its script. */
async function removeCopies(): Promise<void> {
  if (await navigator.serviceWorker.getRegistration()) return;
  for (const name of await caches.keys()) if (name.startsWith(CACHE_PREFIX)) await caches.delete(name);
}

/**
 * Returns whether this page can have a service worker. In development it has none, because Vite serves the sources.
 * Browsers offer none without https and in some private windows.
 */
const isPossible = (): boolean =>
  import.meta.env.PROD && 'serviceWorker' in navigator && 'locks' in navigator && 'caches' in window;
