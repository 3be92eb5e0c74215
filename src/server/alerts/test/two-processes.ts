import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TestDatabase } from '#server/test/database.ts';
import { COMPILE_CACHE_ENVIRONMENT } from '#server/test/running-portal.ts';
import type { EvaluationRound } from './portal-process.ts';

const SCRIPT = new URL('./portal-process.ts', import.meta.url);

type Answer = Promise<readonly string[] | undefined>;

type Started = {
  readonly name: string;
  readonly child: ChildProcess;
  readonly gone: Promise<undefined>;
  /** The errors of the process's last round; undefined: the process was killed. */
  answer: Answer;
};

/** Two real portal processes on one database, which evaluate and notify when a test asks for it, and can be killed and restarted. */
export class TwoProcesses {
  readonly #database: TestDatabase;
  readonly #folder: string;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #both: Started[] = [];
  #started = 0;
  #rounds = 0;
  killed = 0;
  restarted = 0;

  /**
   * @param folder contains a data folder for each process
   * @param settings the settings of both processes
   */
  constructor(database: TestDatabase, folder: string, settings: Readonly<Record<string, string>>) {
    this.#database = database;
    this.#folder = folder;
    this.#settings = settings;
    this.#both.push(this.#start(), this.#start());
  }

  #start(): Started {
    this.#started += 1;
    const name = `portal-${this.#started}`;
    const settings = { ...this.#settings, DATA_DIR: join(this.#folder, name) };
    const connection = { ...this.#database.application, application_name: name };
    const child = fork(
      SCRIPT,
      [connection, settings].map((one) => JSON.stringify(one)),
      {
        execArgv: [],
        env: COMPILE_CACHE_ENVIRONMENT,
      },
    );
    const gone = once(child, 'exit').then(() => undefined);
    return { name, child, gone, answer: answerOf(child, gone) };
  }

  /**
   * Runs a round in both processes at once, or in one, alternating.
   * @param killAfterMs kills one of them after this time, and then repeats the round so that interrupted work is completed
   */
  async round(round: EvaluationRound, who: 'both' | 'one' = 'both', killAfterMs?: number): Promise<void> {
    await Promise.all(this.#both.map(({ answer }) => answer));
    const { killed } = this;
    this.#rounds += 1;
    const asked = who === 'both' ? this.#both : this.#both.slice(this.#rounds % 2).slice(0, 1);
    for (const one of asked) {
      one.answer = answerOf(one.child, one.gone);
      one.child.send(round, () => {});
    }
    if (killAfterMs !== undefined) {
      await wait(killAfterMs);
      await this.kill(this.#started % 2);
    }
    for (const { answer } of this.#both) expect(await answer).toEqual([]);
    if (this.killed > killed) await this.round(round);
  }

  /** Kills a process with SIGKILL and starts another one. */
  async kill(which: number): Promise<void> {
    await this.#end(which);
    this.#both[which] = this.#start();
  }

  /** Kills both with SIGKILL; new processes take over their jobs immediately, for which pg-boss alone would wait five minutes. */
  async killBoth(): Promise<void> {
    await Promise.all([this.#end(0), this.#end(1)]);
    await this.#database.pool.query(
      `update pgboss.job set state = 'retry', start_after = now() where state = 'active'`,
    );
    this.#both.splice(0, 2, this.#start(), this.#start());
  }

  /** Kills a process and waits until its database connections have ended. */
  async #end(which: number): Promise<void> {
    const { name, child, gone } = this.#both[which] as Started;
    child.kill('SIGKILL');
    await gone;
    const { pool } = this.#database;
    const left = async () =>
      (await pool.query('select from pg_stat_activity where application_name = $1', [name])).rowCount;
    await expect.poll(left, { timeout: 20_000, interval: 10 }).toBe(0);
    this.killed += 1;
  }

  /** Restarts a process gracefully. */
  async restart(which: number): Promise<void> {
    await this.#stop(this.#both[which] as Started);
    this.#both[which] = this.#start();
    this.restarted += 1;
  }

  async close(): Promise<void> {
    await Promise.all(this.#both.map((one) => this.#stop(one)));
  }

  async #stop({ child, gone, answer }: Started): Promise<void> {
    await answer;
    child.disconnect();
    await gone;
  }
}

const answerOf = (child: ChildProcess, gone: Promise<undefined>): Answer =>
  Promise.race([once(child, 'message').then(([failed]) => failed), gone]);
