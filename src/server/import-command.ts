import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import type { BusDefinition, Definition } from '#shared/contract/definition.ts';
import type { LogValues } from '#shared/domain/log-fields.ts';
import type { LogAction } from '#shared/domain/log-text.ts';
import { beginCommand, CommandError, errorSentence } from './command.ts';
import { readDefinition } from './definitions/definitions.store.ts';
import { openExisting } from './open-database.ts';
import { audit } from './platform/audit.ts';
import type { Database } from './platform/database.ts';
import { undoImport } from './redecoding/undo-import.ts';
import { readSettings } from './settings.ts';
import { findStream } from './streams/streams.store.ts';
import { DbcError, unreadableLinesText } from './telemetry/decode/dbc/dbc.ts';
import { parseDbc } from './telemetry/decode/dbc/dbc-parse.ts';
import { encryptedLogError } from './telemetry/decode/encrypted-log.ts';
import { decodeText } from './telemetry/decode/file-text.ts';
import { formatOf, isFrameFormat, isLogFormat, parseLogStartMs } from './telemetry/decode/log-file-name.ts';
import { LogError, printableLineStart } from './telemetry/decode/log-outcome.ts';
import { MappingError, parseMapping } from './telemetry/decode/mapping.ts';
import { importLog, type LogImport } from './telemetry/log-import.ts';

const USAGE = `npm run import -- --machine SERIAL --log FILE [--dbc can0=FILE …] [--mapping FILE] [--start ISO] [--undo]

  --machine  serial number of the machine, or loggerid of the LMB logger, that the readings are for
  --log      candump -L, GVRET CSV (SavvyCAN), wide CSV or GPX, gzip or not; of an LMB logger also CSV from Excel with
             time, lat, lon, Speed, Machinestatus, Spoor, Spoorstand (a time without a zone is Europe/Amsterdam)
  --dbc      data definition per CAN bus (can0 to can3); without it the machine's own is used
  --mapping  JSON: {"SocDisp": "Soc1", …} or [{"bus", "message", "signal", "to", "factor", "offset"}, …]
  --start    date and time of the first line, with a zone, for a log whose clock counts from power-on
  --undo     takes back what this file brought in an import of the last 90 days; with the same other options as then

Run it again to go on where it stopped; what is there already is not stored twice.`;

class ImportError extends CommandError {}

type Arguments = {
  machine: string;
  log: string;
  dbc: string[];
  mapping?: string;
  start?: string;
  undo: boolean;
};

function readArguments(args: string[]): Arguments {
  try {
    const { values } = parseArgs({
      args,
      options: {
        machine: { type: 'string' },
        log: { type: 'string' },
        dbc: { type: 'string', multiple: true },
        mapping: { type: 'string' },
        start: { type: 'string' },
        undo: { type: 'boolean', default: false },
      },
    });
    const { machine, log, dbc = [], mapping, start, undo } = values;
    if (!machine || !log) throw new Error('--machine and --log are needed');
    return { machine, log, dbc, undo, ...(mapping && { mapping }), ...(start && { start }) };
  } catch (error) {
    throw new ImportError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

async function readInput(path: string): Promise<Buffer> {
  return readFile(path).catch((error: Error) => {
    throw new ImportError(`${path} cannot be read: ${error.message}`);
  });
}

async function readBus(text: string): Promise<BusDefinition> {
  const [, bus, path] = /^can([0-3])=(.+)$/.exec(text) ?? [];
  if (bus === undefined || path === undefined) throw new ImportError(`--dbc ${text}: write it as can0=FILE.`);
  const dbc = decodeText(await readInput(path));
  return { bus: Number(bus), bitrate: 250_000, name: basename(path), dbc, j1939: 'dbc' };
}

/** Checks a DBC file. @throws ImportError if nothing in the file can be read; names the first unreadable line */
function checkDbc({ name, dbc }: BusDefinition): void {
  try {
    parseDbc(dbc, name);
  } catch (error) {
    if (!(error instanceof DbcError)) throw error;
    const line = printableLineStart(dbc.split(/\r\n?|\n/)[error.line - 1] ?? '');
    throw new ImportError(`${name}, line ${error.line} cannot be read as a DBC file: "${line}".`);
  }
}

/** Writes the unreadable parts of a DBC file, in Dutch like the parser's messages. */
function writeUnreadable({ name, dbc }: BusDefinition): void {
  const list = unreadableLinesText(parseDbc(dbc, name).unreadable);
  if (list.length > 0) process.stderr.write(`${name} - Niet leesbaar:\n  ${list.join('\n  ')}\n`);
}

const NO_DEFINITION: Definition = { buses: [], mapping: { signals: [], keep: [] } };

async function ownDefinition(db: Database, streamId: number): Promise<Definition> {
  const { rows } = await db.query<{ definitionId: number | null }>(
    `select definition_id from writer where stream_id = $1 and valid_to = 'infinity'`,
    [streamId],
  );
  const own = rows[0]?.definitionId;
  return own == null ? NO_DEFINITION : readDefinition(db, own);
}

/** Returns the definition of the import. @param stored used for the parts that the arguments do not contain */
async function definitionFor(stored: Definition, { dbc, mapping }: Arguments): Promise<Definition> {
  const given = mapping === undefined ? undefined : (await readInput(mapping)).toString('utf8');
  let json: unknown;
  try {
    json = given === undefined ? undefined : JSON.parse(given);
  } catch (error) {
    throw new ImportError(`${mapping} is no JSON: ${(error as Error).message}`);
  }
  const buses = dbc.length > 0 ? await Promise.all(dbc.map(readBus)) : stored.buses;
  buses.forEach(checkDbc);
  return {
    buses,
    mapping:
      json === undefined
        ? stored.mapping
        : parseMapping(json, new Set(stored.mapping.signals.map(({ to }) => to))),
  };
}

/** Returns the start of the log: --start, or the time in the file's name for a clock that counts from power-on. */
function startOf({ start, log }: Arguments): { startMs?: number; shift: 'always' | 'if-before-2015' } {
  if (start === undefined) {
    const startMs = parseLogStartMs(basename(log));
    return { ...(startMs !== undefined && { startMs }), shift: 'if-before-2015' };
  }
  const startMs = Date.parse(start);
  if (Number.isNaN(startMs) || !/(Z|[+-]\d\d:?\d\d)$/i.test(start.trim())) {
    throw new ImportError(`--start ${start}: write date, time and zone, such as 2026-01-12T10:00:00+01:00.`);
  }
  return { startMs, shift: 'always' };
}

/** Returns a hash of the first 64 KiB, the size, and everything that determines the result of the import. */
async function fingerprintOf(path: string, size: number, rest: unknown): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536), 0, 65_536, 0);
    const hash = createHash('sha256').update(buffer.subarray(0, bytesRead));
    return hash.update(JSON.stringify([size, rest])).digest('hex');
  } finally {
    await file.close();
  }
}

async function main(): Promise<void> {
  const settings = readSettings();
  const { config, words } = settings;
  const given = readArguments(words);
  const { size } = await stat(given.log).catch((error: Error) => {
    throw new ImportError(`${given.log} cannot be read: ${error.message}`);
  });
  const format = formatOf(basename(given.log));
  if (!isLogFormat(format)) {
    const encrypted = encryptedLogError(basename(given.log));
    if (encrypted) throw encrypted;
    throw new ImportError(
      `${given.log}: name it .rxd, .mf4, .asc, .blf, .trc, .log, .candump or .txt (candump), .csv (wide or GVRET) or .gpx; all but .rxd with .gz when compressed.`,
    );
  }
  const start = startOf(given);
  beginCommand(settings);
  const database = await openExisting(config, pino({ level: 'silent' }));
  try {
    const streamId = await findStream(database.pool, given.machine);
    if (streamId === undefined) throw new ImportError(`There is no machine or LMB logger ${given.machine}.`);
    const logOf = async (definition: Definition): Promise<LogImport> => ({
      streamId,
      chunks: () => createReadStream(given.log),
      format,
      definition,
      ...start,
      fingerprint: await fingerprintOf(given.log, size, [streamId, definition, start]),
    });
    const file = basename(given.log);
    const note = (action: Extract<LogAction, `readings.${string}`>, data: LogValues): Promise<void> =>
      audit(database.pool, { actor: 'npm run import', action, subject: given.machine, streamId, data });
    if (given.undo) {
      const log = await importedLog(database.pool, streamId, given, size, logOf);
      await note('readings.undo-import', { file, size });
      const { removed, changed } = await undoImport(database.pool, log, size, showProgress, Date.now);
      if (process.stderr.isTTY) process.stderr.write('\n');
      process.stdout.write(`${removed} readings removed; ${changed} lost a part of their values.\n`);
      return;
    }
    const definition = await definitionFor(await ownDefinition(database.pool, streamId), given);
    if (isFrameFormat(format) && format !== 'rxd' && definition.buses.length === 0) {
      throw new ImportError(
        `${given.machine} has no data definition: give one with --dbc can0=FILE and --mapping FILE.`,
      );
    }
    definition.buses.forEach(writeUnreadable);
    // Writes the audit row before the first reading, because an import that is killed has already stored some readings.
    await note('readings.import', { file, size });
    const log = await logOf(definition);
    const result = await importLog(database.pool, log, size, showProgress, Date.now).catch(async (error) => {
      await note('readings.import-failed', { file }).catch(() => {});
      throw error;
    });
    await note('readings.imported', { file });
    if (process.stderr.isTTY) process.stderr.write('\n');
    process.stdout.write(`${result.summary}\n`);
    if (result.nothing !== undefined)
      throw new ImportError(`Nothing of the file became a reading: ${result.nothing}.`);
  } finally {
    await database.close();
  }
}

/** Finds the definition with which the file was imported: the current one of the stream, or an earlier one. */
async function importedLog(
  db: Database,
  streamId: number,
  given: Arguments,
  size: number,
  logOf: (definition: Definition) => Promise<LogImport>,
): Promise<LogImport> {
  const { rows } = await db.query<{ id: number }>(
    'select id from definition where stream_id = $1 order by created_at desc',
    [streamId],
  );
  const candidates = [
    async () => NO_DEFINITION,
    ...rows.map(
      ({ id }) =>
        () =>
          readDefinition(db, id),
    ),
  ];
  for (const stored of candidates) {
    const log = await logOf(await definitionFor(await stored(), given));
    const { rowCount } = await db.query('select from import_progress where fingerprint = $1', [
      log.fingerprint,
    ]);
    if (rowCount) return log;
  }
  const undoneAt = await undoneAlready(db, streamId, basename(given.log), size);
  if (undoneAt !== undefined)
    throw new ImportError(
      `The import of ${given.log} for ${given.machine} was undone already, at ${undoneAt}.`,
    );
  throw new ImportError(
    `${given.log} was not imported for ${given.machine} in the last 90 days with these options: give the same --dbc, --mapping and --start as then.`,
  );
}

/** Returns the ISO time at which an import of the file was undone, if that is the last thing that happened to it. */
async function undoneAlready(
  db: Database,
  streamId: number,
  file: string,
  size: number,
): Promise<string | undefined> {
  const { rows } = await db.query<{ action: string; at: Date }>(
    `select action, at from audit where stream_id = $1 and action in ('readings.import', 'readings.undo-import')
       and data ->> 'file' = $2 and (data ->> 'size')::bigint = $3 order by id desc limit 1`,
    [streamId, file, size],
  );
  return rows[0]?.action === 'readings.undo-import' ? rows[0].at.toISOString() : undefined;
}

/** Shows the progress on one line of the terminal, which each call overwrites; shows nothing if stderr is no terminal. */
function showProgress(done: number, total: number, readings: number): void {
  if (!process.stderr.isTTY) return;
  const part = total === 0 ? 1 : Math.min(1, done / total);
  const bar = '#'.repeat(Math.round(part * 30)).padEnd(30, '.');
  process.stderr.write(`\r[${bar}] ${Math.round(part * 100)} %  ${readings} readings `);
}

try {
  await main();
} catch (error) {
  const isOfFile = error instanceof LogError || error instanceof MappingError;
  process.stderr.write(`${isOfFile ? error.english : errorSentence(error)}\n`);
  process.exitCode = 1;
}
