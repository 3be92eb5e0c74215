import type { Definition } from '#shared/contract/definition.ts';
import type { Counts } from './counters.ts';
import { DbcError } from './decode/dbc/dbc.ts';
import { type LogFormat, startFromFileName } from './decode/log-file-name.ts';
import { LogError } from './decode/log-outcome.ts';
import { MappingError } from './decode/mapping.ts';
import { decodeRecordedLog } from './decode/recorded-log.ts';
import { FunnelUnavailable } from './funnel.ts';
import { type Binding, bindingAt } from './logger-directory.ts';
import { storeAcceptable } from './refused-data.ts';
import type { Telemetry } from './telemetry.ts';

const NO_DEFINITION: Definition = { buses: [], mapping: { signals: [], keep: [] } };
/** Of decoding alone: 128 MiB of CAN frames take 15 s. What takes longer is set apart, with what came before. */
const LONGEST_DECODING_MS = 5 * 60_000;
/** Of decoding and storing: then the database is slow, and the logger comes back. */
const LONGEST_MS = 15 * 60_000;

export type LogFile = {
  /** The file from its beginning; once for each definition that the logger ever had, nearly always one. */
  readonly chunks: () => AsyncIterable<Buffer>;
  readonly format: LogFormat;
  readonly fileName: string;
  readonly loggerSerial: string;
};

/** What became of a file; `findings` say in Dutch, each once, why a part of it is no history. */
export type DecodedLog = { readonly counts: Counts; readonly findings: readonly string[] };

/**
 * Stores the readings of a log file, each with the binding that was valid at its time, batch by batch. To be repeated
 * after a failure: what is there already changes nothing.
 * @throws FunnelUnavailable, or the database's error: to be delivered again
 */
export async function decodeLogFile(telemetry: Telemetry, file: LogFile): Promise<DecodedLog> {
  const bindings = await telemetry.directory.bindings(file.loggerSerial);
  const counts: Counts = {};
  const findings = new Set<string>();
  const deadline = performance.now() + LONGEST_MS;
  for (const definitionId of new Set(bindings.map((binding) => binding.definitionId))) {
    try {
      await decodePass(telemetry, file, bindings, definitionId, { counts, findings, deadline });
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      findings.add(error.message);
    }
  }
  return { counts, findings: [...findings] };
}

const isUnreadable = (error: unknown): error is Error =>
  error instanceof LogError || error instanceof DbcError || error instanceof MappingError;

type Pass = { readonly counts: Counts; readonly findings: Set<string>; readonly deadline: number };

/** Decodes the file by one definition and stores the readings that belong to its bindings. */
async function decodePass(
  { pool, directory, partitions, now, warn }: Telemetry,
  file: LogFile,
  bindings: readonly Binding[],
  definitionId: number | undefined,
  { counts, findings, deadline }: Pass,
): Promise<void> {
  const definition = definitionId === undefined ? NO_DEFINITION : await directory.definition(definitionId);
  if (file.format === 'candump' && definition.buses.length === 0) {
    findings.add('er is geen datadefinitie (DBC) voor deze logger');
  }
  const startMs = startFromFileName(file.fileName);
  const batches = decodeRecordedLog({
    chunks: file.chunks(),
    format: file.format,
    definition,
    now: now(),
    longestMs: LONGEST_DECODING_MS,
    ...(startMs !== undefined && { startMs }),
  });
  let unbound = 0;
  for await (const { readings, stats } of batches) {
    const bound = readings.flatMap((reading) => {
      const binding = bindingAt(bindings, reading.time);
      if (!binding) unbound += 1;
      return binding?.definitionId === definitionId && binding
        ? [{ streamId: binding.streamId, ...reading }]
        : [];
    });
    const times = bound.map(({ time }) => time);
    if (!(await partitions.ensure(times, file.loggerSerial))) {
      throw new LogError('corrupt', 'de metingen liggen in te veel verschillende weken');
    }
    const { inserted, merged, refused, why } = await storeAcceptable(pool, bound);
    if (refused > 0) {
      warn('Readings of a log file could not be stored', `${file.fileName}: ${(why as Error).message}`);
      findings.add('een deel kon niet worden opgeslagen');
    }
    counts.readings = (counts.readings ?? 0) + inserted;
    counts.merged = (counts.merged ?? 0) + merged;
    counts.duplicates = (counts.duplicates ?? 0) + bound.length - inserted - merged - refused;
    // Of the whole file so far, not of this batch.
    const { frames, unknownIds: unknownFrames, badLines, skippedValues: skippedSignals } = stats;
    Object.assign(counts, { frames, unknownFrames, badLines, skippedSignals });
    if (stats.refusedTimes > 0 && findings.size === 0) findings.add('een deel heeft een onmogelijke tijd');
    if (performance.now() > deadline) throw new FunnelUnavailable('Storing a log file takes too long.');
  }
  if (unbound > 0) findings.add('de logger was bij een deel aan geen machine gekoppeld');
}
