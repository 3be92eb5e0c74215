import { endTask, reportTask } from '#server/background-tasks/background-tasks.store.ts';
import type { Database } from '#server/platform/database.ts';

const NAME = 'Voorbeeldgeschiedenis';
const PRINT_EVERY_MS = 10_000;
const TELL_EVERY_MS = 2_000;

/**
 * Before the loggers start: a history that is to be filled shows on the first page that anybody opens, which asks
 * only once. Nothing is said when it was complete the last time.
 */
export async function announceHistory(db: Database): Promise<void> {
  await db.query(
    `insert into background_task (name, done) select $1, 0
     where exists (select from background_task where name = $1) or not exists (select from reading)
     on conflict (name) do update set updated_at = now()`,
    [NAME],
  );
}

/** Says how far the history is: in the terminal a line per 10 s at most, on screen through the database. */
export class HistoryReport {
  readonly #db: Database;
  readonly #began = performance.now();
  #printedAt = performance.now();
  #toldAt = Number.NEGATIVE_INFINITY;
  #trouble = '';
  #readings = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param done 0 to 1 @param readings new ones since the last call */
  async progress(done: number, readings: number): Promise<void> {
    this.#readings += readings;
    this.#trouble = '';
    const now = performance.now();
    if (now - this.#toldAt >= TELL_EVERY_MS) {
      this.#toldAt = now;
      await reportTask(this.#db, { name: NAME, done });
    }
    if (now - this.#printedAt >= PRINT_EVERY_MS) {
      this.#printedAt = now;
      // 100 % is said once, at the end.
      console.log(`${NAME}: ${Math.min(99, Math.floor(done * 100))} %`);
    }
  }

  /** Said once per kind of trouble, until it goes on. */
  trouble(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== this.#trouble) console.log(`${NAME} wacht: ${reason}`);
    this.#trouble = reason;
  }

  async complete(): Promise<void> {
    await endTask(this.#db, NAME);
    if (this.#readings === 0) return;
    const seconds = (performance.now() - this.#began) / 1000;
    console.log(`${NAME}: compleet (${this.#readings} metingen in ${Math.round(seconds)} s)`);
  }
}
