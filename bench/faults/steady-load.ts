import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '#server/test/loggers.ts';
import { READING_INTERVAL_SECONDS } from '../fleet.ts';
import { openConnectionPool } from '../open-loop.ts';
import { signUploads } from '../signed-uploads.ts';

/**
 * A load of uploads until stop(). Sends each reading once, also if the upload is refused or its connection breaks, and records which
 * uploads got a 200 response.
 */
export type SteadyLoad = {
  /** Per stream id, the times of the readings whose upload got a 200 response, seconds since 1970. */
  readonly acknowledged: Map<number, number[]>;
  /** Returns the number of 200 responses so far. */
  count(): number;
  /** Number of responses so far per HTTP status other than 200, and number of `broken` connections. */
  readonly refusals: ReadonlyMap<number | 'broken', number>;
  /** Returns when the last 200 response arrived, ms (performance.now). */
  lastAt(): number;
  stop(): Promise<void>;
};

export type LoadTargets = {
  /** Ports of the portal's processes, over which the connections are divided. */
  readonly ports: readonly number[];
  readonly loggers: readonly Logger[];
  /** Time of each logger's first reading, seconds since 1970. Every next one is READING_INTERVAL_SECONDS later. */
  readonly firstSeconds: number;
};

/** Host header that the signatures cover. All uploads have this one, because the portal does not compare the header with its address. */
const HOST = 'werkstroom.test';
const PAUSE_MS = 20;
/** Time without a response after which a logger gives up a connection. */
const PATIENCE_MS = 20_000;
const SIGN_AT_ONCE = 256;
const CONNECTIONS = 32;

export function startSteadyLoad({ ports, loggers, firstSeconds }: LoadTargets): SteadyLoad {
  const acknowledged = new Map(loggers.map(({ streamId }) => [streamId, [] as number[]]));
  const refusals = new Map<number | 'broken', number>();
  let signed: Buffer[] = [];
  let [taken, count, lastAt, isStopping] = [0, 0, performance.now(), false];

  function next(): { n: number; request: Buffer } {
    const at = taken % SIGN_AT_ONCE;
    if (at === 0)
      signed = signUploads({
        loggers: loggers.map((logger, machine) => ({ ...logger, machine })),
        host: HOST,
        from: taken,
        count: SIGN_AT_ONCE,
        firstSeconds,
        signedAt: Date.now(),
      });
    return { n: taken++, request: signed[at] as Buffer };
  }

  async function lane(port: number): Promise<void> {
    const lines = openConnectionPool(port, 1, PATIENCE_MS);
    while (!isStopping) {
      const { n, request } = next();
      const answer = await lines.send(request).then(
        ({ status }) => status,
        () => 'broken' as const,
      );
      if (answer === 200) {
        const { streamId } = loggers[n % loggers.length] as Logger;
        acknowledged
          .get(streamId)
          ?.push(firstSeconds + Math.floor(n / loggers.length) * READING_INTERVAL_SECONDS);
        count += 1;
        lastAt = performance.now();
      } else {
        refusals.set(answer, (refusals.get(answer) ?? 0) + 1);
        await wait(PAUSE_MS);
      }
    }
    lines.close();
  }

  const lanes = Array.from({ length: CONNECTIONS }, (_, n) => lane(ports[n % ports.length] as number));
  return {
    acknowledged,
    refusals,
    count: () => count,
    lastAt: () => lastAt,
    async stop() {
      isStopping = true;
      await Promise.all(lanes);
    },
  };
}

/** Returns the counts as '120 x 503, 32 x broken', or 'none' if there are none. */
export const refusalsText = ({ refusals }: SteadyLoad): string =>
  [...refusals].map(([answer, times]) => `${times.toLocaleString('en-GB')} x ${answer}`).join(', ') || 'none';
