/**
 * A chunk that did not come is given up by the browser for as long as the page is open, and its style sheets count as
 * loaded: only the whole page, loaded anew, is surely whole.
 */
import { useEffect } from 'react';

const ASK_EVERY_MS = 5_000;
const ASK_TIMEOUT_MS = 4_000;
/** What fails again right away is not mended by loading: then there is the button. */
export const ONCE_PER_MS = 60_000;
/** ms; of this tab. */
const RELOADED_KEY = 'reloadedAt';

/** Loads the page anew as soon as the portal answers, at most once a minute. */
export function useReloadWhenBack(): void {
  useEffect(() => {
    const timer = setInterval(async () => {
      if ((await isThere()) && mayReload(() => sessionStorage, Date.now())) window.location.reload();
    }, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
}

/** Notes it as well. A browser that keeps nothing for us would not know of the last time: there it is never. */
export function mayReload(store: () => Storage, nowMs: number): boolean {
  try {
    if (Math.abs(nowMs - Number(store().getItem(RELOADED_KEY))) < ONCE_PER_MS) return false;
    store().setItem(RELOADED_KEY, String(nowMs));
    return true;
  } catch {
    return false;
  }
}

/** The portal answers, and not with a fault. */
async function isThere(): Promise<boolean> {
  const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
  const answer = await fetch('/', { method: 'HEAD', cache: 'no-store', signal }).catch(() => undefined);
  return answer?.ok === true;
}
