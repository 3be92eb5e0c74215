import type { Pool } from '#server/platform/database.ts';
import type { Dm1Observation } from '#server/telemetry/decode/j1939/dm1-log.ts';
import { storeDm1 } from './dm1.store.ts';
import { Dm1DayBuilder } from './dm1-days.ts';

/** Maximum number of runs that are held in memory before they are stored. */
const MAX_RUNS = 10_000;

/** Collects the DM1 messages of a file by stream, and stores them a few times per file. */
export class Dm1Intake {
  readonly #pool: Pool;
  readonly #sums = new Map<number, Dm1DayBuilder>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Adds observations. @param streamOf returns the stream of a time (ms); undefined if observations of that time are left out */
  async add(
    observations: readonly Dm1Observation[],
    streamOf: (time: number) => number | undefined,
  ): Promise<void> {
    for (const observation of observations) {
      // The time of a DM1 is rounded down to its second, like that of a reading, before the stream of that time is looked up.
      const streamId = streamOf(Math.floor(observation.time / 1000) * 1000);
      if (streamId === undefined) continue;
      const sum = this.#sums.get(streamId) ?? new Dm1DayBuilder();
      this.#sums.set(streamId, sum);
      sum.add([observation]);
    }
    if ([...this.#sums.values()].some(({ size }) => size > MAX_RUNS)) await this.store();
  }

  async store(): Promise<void> {
    for (const [streamId, sum] of this.#sums) await storeDm1(this.#pool, streamId, sum.take());
  }
}
