import { randomUUID } from 'node:crypto';
import { DefinitionError, definitionThread } from '#server/definitions/definition-thread.ts';
import { readDefinition } from '#server/definitions/definitions.store.ts';
import { canedgeProblems, canedgeSettings, canedgeWarnings } from '#server/logger-config/canedge-settings.ts';
import {
  type ConfigRequest,
  type UploadTarget,
  uploadAddressOf,
} from '#server/logger-config/config-request.ts';
import type { LoggerConfig } from '#server/logger-config/logger-config.ts';
import { audit } from '#server/platform/audit.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { type CurrentWriter, currentWriter, requireWriter } from '#server/streams/current-writer.ts';
import type { StreamRow } from '#server/streams/find-stream.ts';
import type { MissingStep } from '#shared/contract/writers.ts';
import type { LoggerKind } from '#shared/domain/identifiers.ts';
import { type ConfigSettings, settingsDigest } from './configuration-settings.ts';
import { createKey, type KeyPair } from './keys.store.ts';
import { loggerNetwork, networkView } from './network.store.ts';

/** Placeholder for a key pair: missingForConfig() makes a trial configuration with it to find out what is still missing. */
const NO_KEY: KeyPair = { accessKey: 'WS', secret: '-' };

/** The missing parts of a configuration, as Dutch texts and as tasks for a person. If both are empty, the configuration can be made. */
type Missing = { readonly missing: string[]; readonly missingSteps: MissingStep[] };

export async function missingForConfig(
  db: Database,
  secrets: Secrets,
  settings: ConfigSettings,
  stream: StreamRow,
): Promise<Missing> {
  const writer = await currentWriter(db, stream.id);
  if (!writer) return { missing: ['Koppel eerst een logger.'], missingSteps: [] };
  if (writer.kind === 'canedge')
    return { missing: canedgeProblems(uploadTarget(settings, NO_KEY)), missingSteps: [] };
  const request = await requestFor(db, secrets, settings, stream, writer, NO_KEY, randomUUID());
  const made = await configOf(request);
  return made.ok
    ? { missing: [], missingSteps: [] }
    : { missing: [...made.problems], missingSteps: stepsTo(request) };
}

/** Returns what a person must still enter for a configuration, without what needs a change of the portal's settings. */
function stepsTo({ definition, network }: ConfigRequest): MissingStep[] {
  const steps: MissingStep[] = [];
  if (definition === undefined || definition.buses.length === 0) steps.push('dbc');
  else if (definition.mapping.signals.length + definition.mapping.keep.length === 0) steps.push('signals');
  if (network.kind === 'mobile' ? network.apn === '' : network.ssid === '') steps.push('network');
  return steps;
}

/**
 * Makes config.xml, or the settings of a CANedge, with a new GUID and the newest key; creates a new key if a former owner of the machine
 * may know the newest key. Must run in a transaction that has locked the stream.
 * @returns the kind of logger, and Dutch warnings about problems that may keep the logger from connecting
 * @throws ProblemError 409 with the list of missing parts
 */
export async function makeConfig(
  db: Transaction,
  secrets: Secrets,
  settings: ConfigSettings,
  stream: StreamRow,
  { actor, at }: { readonly actor: string; readonly at: Date },
): Promise<{ readonly kind: LoggerKind; readonly warnings: readonly string[] }> {
  const writer = await requireWriter(db, stream.id);
  const key = (await newestKey(db, secrets, writer.id)) ?? (await createKey(db, secrets, writer.id));
  const guid = randomUUID();
  const made =
    writer.kind === 'canedge'
      ? canedgeConfig(uploadTarget(settings, key))
      : await configOf(await requestFor(db, secrets, settings, stream, writer, key, guid));
  if (!made.ok)
    throw new ProblemError(
      'conflict',
      `${writer.kind === 'canedge' ? 'De instellingen kunnen' : 'Het configuratiebestand kan'} nog niet. ${made.problems.join(' ')}`,
    );
  await db.query('update logger_config set xml = null where writer_id = $1', [writer.id]);
  await db.query(
    `insert into logger_config (writer_id, guid, access_key, definition_id, xml, created_at, address, settings_digest)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      writer.id,
      guid,
      key.accessKey,
      writer.definitionId ?? null,
      secrets.seal('logger_config.xml', guid, made.xml),
      at,
      settings.publicUrl,
      settingsDigest(settings, await networkView(db, stream.id), writer.kind),
    ],
  );
  const data = { logger: writer.loggerSerial, guid, accessKey: key.accessKey };
  await audit(db, { actor, action: 'config.create', subject: stream.serial, streamId: stream.id, data });
  return { kind: writer.kind, warnings: made.warnings };
}

/**
 * Returns the newest configuration exactly as it was made. Call it in a transaction.
 * @throws ProblemError 404 if none was made for the logger that is bound now
 */
export async function downloadConfig(
  db: Transaction,
  secrets: Secrets,
  stream: StreamRow,
  { actor, at }: { readonly actor: string; readonly at: Date },
): Promise<{ readonly kind: LoggerKind; readonly text: string }> {
  const { rows } = await db.query<{ id: number; guid: string; xml: Buffer; kind: LoggerKind }>(
    `select c.id, c.guid, c.xml, w.kind from writer w join logger_config c on c.writer_id = w.id
     where w.stream_id = $1 and w.valid_to = 'infinity' and c.xml is not null order by c.id desc limit 1`,
    [stream.id],
  );
  const made = rows[0];
  if (!made) throw notFound('Er is nog geen configuratiebestand gemaakt.');
  await db.query('update logger_config set downloaded_at = $2 where id = $1', [made.id, at]);
  const data = { guid: made.guid };
  await audit(db, { actor, action: 'config.download', subject: stream.serial, streamId: stream.id, data });
  return { kind: made.kind, text: secrets.open('logger_config.xml', made.guid, made.xml) };
}

async function requestFor(
  db: Database,
  secrets: Secrets,
  settings: ConfigSettings,
  stream: StreamRow,
  { loggerSerial, definitionId }: CurrentWriter,
  key: KeyPair,
  guid: string,
): Promise<ConfigRequest> {
  return {
    serial: stream.serial,
    loggerSerial,
    definition: definitionId === undefined ? undefined : await readDefinition(db, definitionId),
    upload: uploadTarget(settings, key),
    network: await loggerNetwork(db, secrets, stream.id, settings.mobile),
    guid,
  };
}

const uploadTarget = ({ publicUrl, bucket, rootCa }: ConfigSettings, key: KeyPair): UploadTarget => ({
  endpoint: uploadAddressOf(publicUrl),
  bucket,
  rootCa,
  ...key,
});

/**
 * Returns the settings of a CANedge. They contain no signals, because a CANedge records every frame, and no network, because the
 * owner of the CANedge sets the network.
 */
function canedgeConfig(upload: UploadTarget): LoggerConfig {
  const [problems, warnings] = [canedgeProblems(upload), canedgeWarnings(upload)];
  return problems.length > 0
    ? { ok: false, problems, warnings }
    : { ok: true, xml: canedgeSettings(upload), warnings };
}

/** Makes the configuration in the worker thread, which parses its DBC files. */
async function configOf(request: ConfigRequest): Promise<LoggerConfig> {
  try {
    return await definitionThread.run('config', { request });
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return { ok: false, problems: [error.message], warnings: [] };
  }
}

async function newestKey(db: Database, secrets: Secrets, writerId: number): Promise<KeyPair | undefined> {
  const { rows } = await db.query<{ accessKey: string; secret: Buffer }>(
    `select access_key, secret from writer_key where writer_id = $1 and retired_at is null and replace_by is null
     order by created_at desc limit 1`,
    [writerId],
  );
  const [row] = rows;
  return (
    row && {
      accessKey: row.accessKey,
      secret: secrets.open('writer_key.secret', row.accessKey, row.secret),
    }
  );
}
