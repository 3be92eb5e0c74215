import type { Readable } from 'node:stream';
import type { Database, Pool } from '#server/platform/database.ts';
import type { Definition } from '#shared/contract/definition.ts';
import { englishFindingText } from '#shared/domain/delivery-findings/delivery-findings.ts';
import type { LogFormat } from './decode/log-file-name.ts';
import { impossibleTimesFinding, summarizeSkippedParts } from './decode/log-outcome.ts';
import { decodeRecordedLog, type LogResumePosition } from './decode/recorded-log.ts';
import { Dm1Intake } from './dm1/dm1-intake.ts';
import { noReadingsReason } from './no-readings-reason.ts';
import { openPartitions } from './partitions.ts';
import { storeReadings } from './readings.store.ts';

export type LogImport = {
  readonly streamId: number;
  /** Returns the file from its beginning. */
  readonly chunks: () => Readable;
  readonly format: LogFormat;
  readonly definition: Definition;
  readonly startMs?: number;
  readonly shift: 'always' | 'if-before-2015';
  /** Fingerprint of the file and of everything else that determines the result; the progress is stored under it. */
  readonly fingerprint: string;
};

/** Receives the bytes read so far, the size of the file, and the number of readings stored so far. */
export type ImportProgressCallback = (done: number, total: number, readings: number) => void;

/**
 * Imports a recorded log into a stream's history through the same tables as the upload endpoint, and resumes where an earlier run
 * for the same file stopped (INGEST-05).
 * @returns the result in one sentence, with the reason if the file gave no reading
 * @throws LogError, DbcError, MappingError
 */
export async function importLog(
  pool: Pool,
  { streamId, fingerprint, chunks, ...log }: LogImport,
  size: number,
  progress: ImportProgressCallback,
  now: () => number,
): Promise<{ readonly summary: string; readonly nothing: string | undefined }> {
  const partitions = openPartitions(pool, now);
  const { rows } = await pool.query<{ resume: LogResumePosition; finished: boolean }>(
    'select resume, finished from import_progress where fingerprint = $1',
    [fingerprint],
  );
  // A finished import runs again from the beginning: it stores nothing new, but restores readings that may have been deleted since.
  const resume = rows[0] && !rows[0].finished ? rows[0].resume : undefined;
  let done = 0;
  async function* counted(): AsyncIterable<Uint8Array> {
    done = 0;
    for await (const chunk of chunks()) {
      done += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
  }

  let stored = 0;
  let known = 0;
  let summary = '';
  let nothing: string | undefined;
  const faults = new Dm1Intake(pool);
  for await (const batch of decodeRecordedLog({
    ...log,
    chunks: counted,
    now: now(),
    ...(resume && { resume }),
  })) {
    const readings = batch.readings.map((reading) => ({ streamId, ...reading }));
    await partitions.ensure(
      readings.map(({ time }) => time),
      undefined,
    );
    const { inserted } = await storeReadings(pool, readings);
    // The fault codes are stored before the progress, because after an interruption the file is read again from the previous
    // progress.
    await faults.add(batch.dm1, () => streamId);
    await faults.store();
    stored += inserted;
    known += readings.length - inserted;
    await keep(pool, fingerprint, batch.resume, false);
    progress(done, size, stored + known);
    const { frames, unknownIds, localTimes } = batch.stats;
    const found = [
      impossibleTimesFinding(batch.stats),
      ...summarizeSkippedParts(batch.stats, batch.remarks),
      batch.clockError,
    ].filter((one) => one !== undefined);
    nothing = stored + known === 0 ? noReadingsReason(batch.stats) : undefined;
    summary = `${[
      `${stored} new readings`,
      `${known} were there already`,
      `${frames} frames (rows, points) read, ${unknownIds} of them with an identifier that no DBC of their bus knows (${batch.unknownIdentifiers} identifiers)`,
      ...batch.buses.map(({ name, bus }) => `${name} is bus ${bus}`),
      ...(localTimes ? [`${localTimes} times without a zone were read as Europe/Amsterdam`] : []),
      ...found.map(englishFindingText),
    ].join('; ')}.`;
  }
  await keep(pool, fingerprint, undefined, true);
  return { summary, nothing };
}

async function keep(
  pool: Pool,
  fingerprint: string,
  resume: LogResumePosition | undefined,
  finished: boolean,
): Promise<void> {
  await pool.query(
    `insert into import_progress (fingerprint, resume, finished) values ($1, $2, $3)
     on conflict (fingerprint) do update set resume = excluded.resume, finished = excluded.finished, updated_at = now()`,
    [fingerprint, JSON.stringify(resume ?? null), finished],
  );
}

/** Deletes the stored progress of imports that was not updated for 90 days. */
export async function deleteOldImports(db: Database): Promise<void> {
  await db.query(`delete from import_progress where updated_at < now() - interval '90 days'`);
}
