import type { TileFetch } from './tile-fetch.ts';

/** State of the host of a tile service: `unknown` until the first attempt to fetch a tile has ended. */
export type HostState = 'unknown' | 'reached' | 'out-of-reach';

/** Limits requests to a tile service, so that an unreachable service costs one attempt per pause, not one per tile. */
export type UpstreamHost = {
  readonly reach: () => HostState;
  /** Returns whether an attempt is due: the state is unknown, or the pause after a failure is over. */
  readonly isDue: () => boolean;
  /** Runs `fetchOne`, which must not reject, and records its outcome; returns undefined, without running it, during a pause. */
  readonly attempt: (fetchOne: () => Promise<TileFetch>) => Promise<TileFetch | undefined>;
};

const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 5 * 60_000;
/**
 * A host that has responded before gets a pause only after more consecutive failures than this number. Until then a failed request has
 * no effect on other tiles.
 */
const TOLERATED_FAILURES = 2;

/**
 * Returns a limiter of the requests to one host. The first attempt is made alone, and other requests wait for its outcome. If it fails,
 * no request is sent for 30 s; then one attempt is made, during which other requests get no tile. After each further failed attempt the
 * pause is twice as long, up to 5 minutes.
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
