/** The page's side of src/web/service-worker. Where a browser has none, or refuses it, all is as without. */
import type { GoTo } from '#web/service-worker/notices.ts';
import { COPIES } from '#web/service-worker/requests.ts';

/** The worker keeps the files of this version as long as this page is open. @param entry the address of its first script */
export function holdVersion(entry: string): void {
  if (!isPossible()) return;
  const untilClosed = (): Promise<never> => new Promise(() => undefined);
  navigator.locks.request(new URL(entry).pathname, { mode: 'shared' }, untilClosed).catch(() => undefined);
}

/** After the page is there: it fetches all pages of the portal, and nobody waits for that. */
const REGISTER_AFTER_MS = 2_000;

/** @returns how to take it back, as long as nothing was done */
export function registerSoon(): () => void {
  if (!isPossible()) return () => undefined;
  const timer = setTimeout(() => {
    // The browser looks for a newer one by itself; and one that takes itself away would come back.
    if (navigator.serviceWorker.controller) return;
    navigator.serviceWorker
      .register('/service-worker.js', { updateViaCache: 'none' })
      .catch(removeCopies)
      .catch(() => undefined);
  }, REGISTER_AFTER_MS);
  return () => clearTimeout(timer);
}

/** Where a press on a notification leads while the portal is open. */
export function hearNotices(go: (path: string) => void): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<GoTo>) => go(data.goTo));
}

/** A browser takes a worker away by itself, too, when its script is gone, and leaves what it kept. */
async function removeCopies(): Promise<void> {
  if (await navigator.serviceWorker.getRegistration()) return;
  for (const name of await caches.keys()) if (name.startsWith(COPIES)) await caches.delete(name);
}

/** In development Vite serves the sources themselves. Without https, or in some private windows, browsers have no workers. */
const isPossible = (): boolean =>
  import.meta.env.PROD && 'serviceWorker' in navigator && 'locks' in navigator && 'caches' in window;
