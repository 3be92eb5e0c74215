import type { TileFetch } from './tile-fetch.ts';

/** State of a host: `unknown` until the first attempt has ended. */
export type HostState = 'unknown' | 'reached' | 'out-of-reach';

/** Limits requests to a tile service, so that an unreachable service costs one attempt per pause, not one per tile. */
export type UpstreamHost = {
  readonly reach: () => HostState;
  /** Returns whether an attempt is due: the state is unknown, or the pause after a failure is over. */
  readonly isDue: () => boolean;
  /** Makes the attempt, which must not reject; returns undefined during a pause. */
  readonly attempt: (fetchOne: () => Promise<TileFetch>) => Promise<TileFetch | undefined>;
};

const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 5 * 60_000;
/**
 * A host that has responded before gets a pause only after more consecutive failures than this number. Each failure without a pause
 * affects only its own tile.
 */
const TOLERATED_FAILURES = 2;

/**
 * Returns a gate for one host. The first attempt is made alone, and other requests wait for its outcome. After a failure the host
 * gets a pause of 30 s, then one attempt, during which other requests get no tile; the pause doubles up to 5 minutes while attempts
 * fail.
 * @param now returns milliseconds since 1970
 */
export function createUpstreamHost(now: () => number): UpstreamHost {
  let reach: HostState = 'unknown';
  let failuresInARow = 0;
  let pauseMs = 0;
  let retryAt = 0;
  let probe: Promise<TileFetch> | undefined;

  const rest = (ms: number) => {
    reach = 'out-of-reach';
    pauseMs = ms;
    retryAt = now() + ms;
  };
  const record = ({ kind }: TileFetch, isProbe: boolean) => {
    if (kind !== 'failed') {
      reach = 'reached';
      failuresInARow = 0;
      return;
    }
    failuresInARow++;
    if (reach === 'unknown') rest(FIRST_PAUSE_MS);
    else if (reach === 'reached' && failuresInARow > TOLERATED_FAILURES) rest(FIRST_PAUSE_MS);
    else if (reach === 'out-of-reach' && isProbe) rest(Math.min(pauseMs * 2, MAX_PAUSE_MS));
  };

  const probing = async (fetchOne: () => Promise<TileFetch>) => {
    try {
      const fetched = await fetchOne();
      record(fetched, true);
      return fetched;
    } finally {
      probe = undefined;
    }
  };

  return {
    reach: () => reach,
    isDue: () => reach === 'unknown' || (reach === 'out-of-reach' && now() >= retryAt),
    async attempt(fetchOne) {
      if (reach === 'unknown' && probe) await probe;
      if (reach === 'reached') {
        const fetched = await fetchOne();
        record(fetched, false);
        return fetched;
      }
      if (probe || (reach === 'out-of-reach' && now() < retryAt)) return undefined;
      probe = probing(fetchOne);
      return probe;
    },
  };
}
