import { createHash } from 'node:crypto';
import type { Database } from '#server/platform/database.ts';
import type { Network, OutdatedLoggerAddress } from '#shared/contract/writers.ts';
import type { LoggerKind } from '#shared/domain/identifiers.ts';
import { type MobileDefaults, networkView } from './network.store.ts';

/** The portal settings that each configuration contains. */
export type ConfigSettings = {
  readonly publicUrl: string;
  readonly bucket: string;
  readonly mobile: MobileDefaults;
  /** Root certificate as PEM; '' if there is none. */
  readonly rootCa: string;
};

type Settings = Readonly<
  Record<
    | 'PUBLIC_URL'
    | 'UPLOAD_BUCKET'
    | 'LOGGER_APN'
    | 'LOGGER_APN_USER'
    | 'LOGGER_APN_PASSWORD'
    | 'LOGGER_ROOT_CA',
    string
  >
>;

/** Returns the settings that configurations contain, from all settings of the portal (.env.example). */
export const configSettings = (config: Settings): ConfigSettings => ({
  publicUrl: config.PUBLIC_URL,
  bucket: config.UPLOAD_BUCKET,
  mobile: { apn: config.LOGGER_APN, user: config.LOGGER_APN_USER, password: config.LOGGER_APN_PASSWORD },
  rootCa: config.LOGGER_ROOT_CA,
});

/**
 * Returns a digest of the portal settings in a logger's configuration: the address, bucket and certificate, and the mobile network
 * if the logger has no APN of its own. The settings of a CANedge contain no certificate and no network.
 */
export function settingsDigest(
  { publicUrl, bucket, rootCa, mobile }: ConfigSettings,
  { kind, apn }: Pick<Network, 'kind' | 'apn'>,
  logger: LoggerKind,
): string {
  const network = kind === 'mobile' && apn === '' ? mobile : null;
  const ofRexgen = logger === 'rexgen' ? [rootCa, network] : [];
  return createHash('sha256')
    .update(JSON.stringify([publicUrl, bucket, ...ofRexgen]))
    .digest('hex');
}

/** Whether the portal's settings have changed since the newest configuration of a stream's logger was made. */
export type SettingsChange = {
  readonly isChanged: boolean;
  /** PUBLIC_URL at the time when the configuration was made; undefined if it has not changed, or there is no configuration. */
  readonly oldAddress: string | undefined;
};

export async function findSettingsChange(
  db: Database,
  settings: ConfigSettings,
  streamId: number,
): Promise<SettingsChange> {
  const { rows } = await db.query<{ address: string; digest: string; kind: LoggerKind }>(
    `select c.address, c.settings_digest as digest, w.kind from writer w join logger_config c on c.writer_id = w.id
     where w.stream_id = $1 and w.valid_to = 'infinity' order by c.id desc limit 1`,
    [streamId],
  );
  const newest = rows[0];
  if (!newest) return { isChanged: false, oldAddress: undefined };
  return {
    isChanged: newest.digest !== settingsDigest(settings, await networkView(db, streamId), newest.kind),
    oldAddress: newest.address === settings.publicUrl ? undefined : newest.address,
  };
}

/**
 * Returns the loggers whose configuration has an address of the portal other than `publicUrl`, sorted by machine name. Compares the
 * configuration that the logger reports as running or, if that is unknown, the newest configuration.
 */
export async function findOutdatedLoggerAddresses(
  db: Database,
  publicUrl: string,
): Promise<OutdatedLoggerAddress[]> {
  const { rows } = await db.query<OutdatedLoggerAddress>(
    `select s.kind, s.serial, s.alias, o.name as organization, o.clean as cleanorg, w.logger_serial as logger_id, c.address
     from writer w
     join stream s on s.id = w.stream_id and s.deleted_at is null
     join ownership n on n.stream_id = s.id and n.valid_to = 'infinity' join organization o on o.id = n.organization_id
     left join writer_health h on h.writer_id = w.id
     join lateral (
       select address from logger_config where writer_id = w.id
       order by guid is not distinct from h.status ->> 'configGuid' desc, id desc limit 1
     ) as c on true
     where w.valid_to = 'infinity' and c.address <> $1
     order by lower(s.alias), s.serial`,
    [publicUrl],
  );
  return rows;
}
