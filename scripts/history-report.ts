import { endBackgroundTask, reportBackgroundTask } from '#server/background-tasks/background-tasks.store.ts';
import type { Database } from '#server/platform/database.ts';

const NAME = 'Voorbeeldgeschiedenis';
const PRINT_EVERY_MS = 10_000;
const SHOW_EVERY_MS = 2_000;

/**
 * Stores the filling of the history as a background task, unless an earlier start has completed it. Must run before the loggers start,
 * because a page reads the background tasks only once.
 */
export async function announceHistory(db: Database): Promise<void> {
  await db.query(
    `insert into background_task (name, done) select $1, 0
     where exists (select from background_task where name = $1) or not exists (select from latest where time > '-infinity')
     on conflict (name) do update set updated_at = now()`,
    [NAME],
  );
}

/** Reports the progress of the history: in the terminal at most a line per 10 s, on the screen through the database. */
export class HistoryReport {
  readonly #db: Database;
  readonly #began = performance.now();
  #printedAt = performance.now();
  #shownAt = Number.NEGATIVE_INFINITY;
  #trouble = '';
  #readings = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Reports progress. @param done 0 to 1 @param readings number of new readings since the last call */
  async progress(done: number, readings: number): Promise<void> {
    this.#readings += readings;
    this.#trouble = '';
    const now = performance.now();
    if (now - this.#shownAt >= SHOW_EVERY_MS) {
      this.#shownAt = now;
      await reportBackgroundTask(this.#db, { name: NAME, done });
    }
    if (now - this.#printedAt >= PRINT_EVERY_MS) {
      this.#printedAt = now;
      // 100 % is printed once, at the end.
      console.log(`${NAME}: ${Math.min(99, Math.floor(done * 100))} %`);
    }
  }

  /** Prints an error once per reason, until the next progress. */
  trouble(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== this.#trouble) console.log(`${NAME} wacht: ${reason}`);
    this.#trouble = reason;
  }

  async complete(): Promise<void> {
    await endBackgroundTask(this.#db, NAME);
    if (this.#readings === 0) return;
    const seconds = (performance.now() - this.#began) / 1000;
    console.log(`${NAME}: compleet (${this.#readings} metingen in ${Math.round(seconds)} s)`);
  }
}
