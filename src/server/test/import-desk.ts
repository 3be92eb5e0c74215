import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { countStoredReadings, storedRows } from '#server/telemetry/test/stored-rows.ts';
import type { LiveResponse } from '#shared/contract/live.ts';
import { type TestPortal, testPortal } from './portal.ts';
import { databaseUrlOf } from './postgres.ts';
import { COMPILE_CACHE_ENVIRONMENT } from './running-portal.ts';
import { splitStderr } from './split-stderr.ts';

/** DBC file that defines the messages in IMPORT_CANDUMP_LOG and IMPORT_GVRET_LOG. */
export const IMPORT_DBC = `VERSION ""
BU_: ECU
BO_ 256 Battery: 8 ECU
 SG_ PackSoc : 0|8@1+ (0.5,0) [0|100] "%" ECU
BO_ 257 Motor: 8 ECU
 SG_ Rpm : 0|16@1+ (1,0) [0|8000] "rpm" ECU
`;
/**
 * Candump log: a charge level of 80 %, two seconds later 1000 rpm, and then 81 %. Bus can1 has no definition, and the last line is cut off.
 */
export const IMPORT_CANDUMP_LOG = `(5.000000) can0 100#A000000000000000
(5.200000) can1 100#0000000000000000
(7.000000) can0 101#E803000000000000
(7.400000) can0 100#A200000000000000
(7.500000) can0 1`;

/** The frames of IMPORT_CANDUMP_LOG in SavvyCAN's format. */
export const IMPORT_GVRET_LOG = `Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8
5000000,00000100,false,Rx,0,8,A0,00,00,00,00,00,00,00,
5200000,00000100,false,Rx,1,8,00,00,00,00,00,00,00,00,
7000000,00000101,false,Rx,0,8,E8,03,00,00,00,00,00,00,
7400000,00000100,false,Rx,0,8,A2,00,00,00,00,00,00,00,
7500000,0000`;

/** The exit code and output of the import; its audit rows are separated from the rest of standard error. */
export type CommandOutput = ReturnType<typeof splitStderr> & { code: number; stdout: string };

/** A running portal with one organization, and a folder of recorded logs for `npm run import`. */
export class ImportTestPortal {
  readonly portal: TestPortal;
  readonly folder: string;
  readonly organization: number;
  readonly #cookie: string;
  readonly #clock: { now: number };

  private constructor(
    portal: TestPortal,
    folder: string,
    organization: number,
    cookie: string,
    clock: { now: number },
  ) {
    this.portal = portal;
    this.folder = folder;
    this.organization = organization;
    this.#cookie = cookie;
    this.#clock = clock;
  }

  static async open(): Promise<ImportTestPortal> {
    const clock = { now: Date.now() };
    const portal = await testPortal({}, () => clock.now);
    const folder = await mkdtemp(join(tmpdir(), 'werkstroom-import-'));
    const organization = await portal.organization('klant');
    await portal.user('a@klant.nl', organization);
    return new ImportTestPortal(portal, folder, organization, await portal.login('a@klant.nl'), clock);
  }

  async close(): Promise<void> {
    await this.portal.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Creates a machine and returns its stream's id. */
  machine(serial: string, alias = serial): Promise<number> {
    return this.portal.machine(this.organization, { serial, alias });
  }

  /** Writes a file into the folder and returns its path. */
  async file(name: string, content: string | Buffer): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, content);
    return path;
  }

  /** Runs `npm run import -- …` beside the running portal. */
  run(...args: string[]): Promise<CommandOutput> {
    return new Promise((done) => this.#start(args, done));
  }

  /**
   * Runs the import and kills it after it stored some readings. It stores batches of some 4,000 readings, and saves its progress after
   * each batch, so that the progress of the last batch may not be saved.
   * @returns the number of readings stored by then
   */
  async runAndKill(args: readonly string[], streamId: number): Promise<{ killedAt: number }> {
    const child = this.#start(args, () => {});
    const stored = () => this.storedIn(streamId);
    await expect.poll(stored, { timeout: 30_000, interval: 20 }).toBeGreaterThan(1500);
    child.kill('SIGKILL');
    await new Promise((gone) => child.once('exit', gone));
    // PostgreSQL may still commit the batch that it was storing when the command was killed.
    let killedAt = -1;
    for (let now = await stored(); now !== killedAt; now = await stored()) {
      killedAt = now;
      await new Promise((later) => setTimeout(later, 400));
    }
    return { killedAt };
  }

  #start(args: readonly string[], done: (output: CommandOutput) => void): ChildProcess {
    const DATABASE_URL = databaseUrlOf(this.portal.connection);
    const place = { HOME: this.folder, DATA_DIR: this.folder, DATABASE_URL };
    const env = { PATH: process.env.PATH, ...COMPILE_CACHE_ENVIRONMENT, ...place };
    return execFile(
      process.execPath,
      ['werkstroom.js', 'import', ...args],
      { env },
      (error, stdout, stderr) =>
        done({ code: error ? Number(error.code) : 0, stdout, ...splitStderr(stderr) }),
    );
  }

  storedIn(streamId: number): Promise<number> {
    return countStoredReadings(this.portal.pool, streamId);
  }

  async rowsOf(streamId: number) {
    const columns = ['time', 'soc1', 'motor_speed', 'speed', 'rest'] as const;
    const rows = await storedRows(this.portal.pool, streamId, columns);
    return rows.map(({ motor_speed: motorSpeed, ...row }) => ({ ...row, motorSpeed }));
  }

  async live(serial: string): Promise<LiveResponse[string] | undefined> {
    this.#clock.now += 1_100;
    return ((await this.portal.get('/api/live', this.#cookie)).json() as LiveResponse)[serial];
  }
}
