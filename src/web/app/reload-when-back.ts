/**
 * Reloads a page whose chunk failed. While a page is open, browsers do not fetch a failed chunk again and count its style
 * sheets as loaded, so only a reload makes the page complete.
 */
import { useEffect } from 'react';

const ASK_EVERY_MS = 5_000;
const ASK_TIMEOUT_MS = 4_000;
/** Minimum time between two reloads: if the chunk fails again right after a reload, another reload does not help. */
export const MIN_RELOAD_INTERVAL_MS = 60_000;
/** Key in sessionStorage of the last reload, in Unix milliseconds. */
const RELOADED_KEY = 'reloadedAt';

/** Reloads the page as soon as the portal responds, at most once a minute. */
export function useReloadWhenBack(): void {
  useEffect(() => {
    const timer = setInterval(async () => {
      if ((await isPortalUp()) && claimReload(() => sessionStorage, Date.now())) window.location.reload();
    }, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
}

/**
 * Returns whether the page may reload now and, if so, stores the time of the reload. Always false if the browser
 * refuses to store it, because the page could then reload again and again.
 */
export function claimReload(store: () => Storage, nowMs: number): boolean {
  try {
    if (Math.abs(nowMs - Number(store().getItem(RELOADED_KEY))) < MIN_RELOAD_INTERVAL_MS) return false;
    store().setItem(RELOADED_KEY, String(nowMs));
    return true;
  } catch {
    return false;
  }
}

async function isPortalUp(): Promise<boolean> {
  const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
  const answer = await fetch('/', { method: 'HEAD', cache: 'no-store', signal }).catch(() => undefined);
  return answer?.ok === true;
}
