import { createReadStream } from 'node:fs';
import type { Delivery } from '#server/door/door-world.ts';
import type { Definition } from '#shared/domain/definition.ts';
import type { Counts } from './counters.ts';
import { DbcError } from './decode/dbc.ts';
import { formatOf, isLogFormat, type LogFormat, startFromFileName } from './decode/file-name.ts';
import { LogError } from './decode/log-error.ts';
import { MappingError } from './decode/mapping.ts';
import { decodeRecordedLog } from './decode/recorded-log.ts';
import { type Binding, bindingAt, type LoggerKey } from './directory.ts';
import type { Telemetry } from './door-world.ts';
import { setOutcome, storeFile } from './objects.store.ts';
import { quarantine } from './quarantine.store.ts';
import { storeReadings } from './readings.store.ts';

const NO_DEFINITION: Definition = { buses: [], mapping: { signals: [], keep: [] } };

/**
 * A log file of a logger, from its spool file: stored whole, so that a corrected definition can decode it again, and
 * decoded into readings by the definition of the binding that was valid then. Resolves when both are committed; a
 * file that cannot be decoded stays stored and is noted in quarantine.
 */
export async function deliverLog(
  telemetry: Telemetry,
  delivery: Delivery,
  path: string,
  { loggerSerial, writerId }: LoggerKey,
): Promise<void> {
  const { pool, counters, now } = telemetry;
  const { size, etag, contentType, metadata } = delivery;
  const row = { loggerSerial, key: delivery.key, size, etag, contentType, metadata };
  const { objectId } = await storeFile(pool, { ...row, outcome: 'niet gedecodeerd' }, path);

  const counts: Counts = { uploads: 1 };
  const findings: string[] = [];
  const format = formatOf(delivery.fileName);
  if (isLogFormat(format)) {
    const bindings = await telemetry.directory.bindings(loggerSerial);
    // One pass per definition that the logger ever had: nearly always one.
    const definitions = new Set(bindings.map(({ definitionId }) => definitionId));
    for (const definitionId of definitions) {
      try {
        await decodePass(
          telemetry,
          { path, format, fileName: delivery.fileName, loggerSerial },
          bindings,
          definitionId,
          counts,
          findings,
        );
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        findings.push(error.message);
      }
    }
    if (findings.length > 0) {
      const reason = [...new Set(findings)].join('; ');
      await quarantine(pool, { loggerSerial, key: delivery.key, reason, size, body: undefined });
      counts.quarantined = 1;
      counters.add(writerId, {}, { at: now(), error: reason });
    }
    const readings = (counts.readings ?? 0) + (counts.duplicates ?? 0);
    await setOutcome(pool, objectId, [`${readings} metingen`, ...new Set(findings)].join('; '));
  }
  const counted = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  counters.add(writerId, counted, { at: now() });
}

const isUnreadable = (error: unknown): error is Error =>
  error instanceof LogError || error instanceof DbcError || error instanceof MappingError;

type LogFile = {
  readonly path: string;
  readonly format: LogFormat;
  readonly fileName: string;
  readonly loggerSerial: string;
};

/** Decodes the file by one definition and stores the readings that belong to its bindings. */
async function decodePass(
  { pool, directory, partitions, now }: Telemetry,
  file: LogFile,
  bindings: readonly Binding[],
  definitionId: number | undefined,
  counts: Counts,
  findings: string[],
): Promise<void> {
  const definition = definitionId === undefined ? NO_DEFINITION : await directory.definition(definitionId);
  if (file.format === 'candump' && definition.buses.length === 0) {
    findings.push('er is geen datadefinitie (DBC) voor deze logger');
  }
  const startMs = startFromFileName(file.fileName);
  const batches = decodeRecordedLog({
    chunks: createReadStream(file.path),
    format: file.format,
    definition,
    now: now(),
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
    if (
      !(await partitions.ensure(
        bound.map(({ time }) => time),
        file.loggerSerial,
      ))
    ) {
      throw new LogError('corrupt', 'de metingen liggen in te veel verschillende weken');
    }
    const { inserted } = await storeReadings(pool, bound);
    counts.readings = (counts.readings ?? 0) + inserted;
    counts.duplicates = (counts.duplicates ?? 0) + bound.length - inserted;
    // Of the whole file so far, not of this batch.
    const { frames, unknownIds: unknownFrames, badLines, skippedValues: skippedSignals } = stats;
    Object.assign(counts, { frames, unknownFrames, badLines, skippedSignals });
    if (stats.refusedTimes > 0 && findings.length === 0) findings.push('een deel heeft een onmogelijke tijd');
  }
  if (unbound > 0) findings.push('de logger was bij een deel aan geen machine gekoppeld');
}
