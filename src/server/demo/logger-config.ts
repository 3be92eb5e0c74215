import type { Transaction } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { findStreamRow } from '#server/streams/find-stream.ts';
import { downloadConfig, makeConfig, missingForConfig } from '#server/writers/configuration.ts';
import type { ConfigSettings } from '#server/writers/configuration-settings.ts';

/** Access key of a demo logger, and the GUID of the configuration that the logger reports in Status.json. */
export type LoadedConfig = { readonly accessKey: string; readonly configGuid: string };

/**
 * Returns the configuration that an administrator downloaded last for the logger of a stream. The demo loads it into its loggers
 * at the start.
 */
export async function readDownloadedConfig(
  client: Transaction,
  streamId: number,
): Promise<LoadedConfig | undefined> {
  const { rows } = await client.query<LoadedConfig>(
    `select c.access_key, c.guid::text as config_guid
     from writer w join logger_config c on c.writer_id = w.id
     where w.stream_id = $1 and w.valid_to = 'infinity' and c.downloaded_at is not null order by c.id desc limit 1`,
    [streamId],
  );
  return rows[0];
}

/**
 * Makes and downloads a first configuration, as an administrator does. Skips a machine that ever had one, and machines for which
 * the portal's settings do not allow one.
 */
export async function addLoggerConfig(
  client: Transaction,
  secrets: Secrets,
  settings: ConfigSettings,
  serial: string,
  at: Date,
): Promise<void> {
  const stream = await findStreamRow(client, serial);
  const { rowCount } = await client.query(
    `select from writer w join logger_config c on c.writer_id = w.id where w.stream_id = $1`,
    [stream.id],
  );
  if (rowCount || (await missingForConfig(client, secrets, settings, stream)).missing.length > 0) return;
  const by = { actor: 'demo', at };
  await makeConfig(client, secrets, settings, stream, by);
  await downloadConfig(client, secrets, stream, by);
}
