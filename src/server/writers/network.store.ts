import type { LoggerNetwork } from '#server/logger-config/config-request.ts';
import type { Database } from '#server/platform/database.ts';
import { FieldErrors } from '#server/platform/field-errors.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Network, NetworkChange } from '#shared/contract/writers.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';

/** LOGGER_APN, LOGGER_APN_USER and LOGGER_APN_PASSWORD, used if a logger has no setting of its own. */
export type MobileDefaults = { readonly apn: string; readonly user: string; readonly password: string };

export async function networkView(db: Database, streamId: number): Promise<Network> {
  const { rows } = await db.query<Network>(
    `select kind, sim_pin is not null as has_sim_pin, apn, wifi_ssid,
       wifi_password is not null as has_wifi_password
     from logger_network where stream_id = $1`,
    [streamId],
  );
  return rows[0] ?? { kind: 'mobile', hasSimPin: false, apn: '', wifiSsid: '', hasWifiPassword: false };
}

type SecretColumn = 'sim_pin' | 'wifi_password';

/**
 * Sets the network of a logger. Call it in a transaction.
 * @throws ProblemError 400
 */
export async function setNetwork(
  db: Database,
  secrets: Secrets,
  streamId: number,
  change: NetworkChange,
): Promise<Network> {
  const errors = new FieldErrors(['apn', 'simPin', 'wifiSsid', 'wifiPassword']);
  const apn = printable(change.apn, 'apn', errors);
  const ssid = printable(change.wifiSsid, 'wifiSsid', errors);
  if (ssid !== null && Buffer.byteLength(ssid) > 32)
    errors.add('wifiSsid', 'Naam van het wifi-netwerk is ten hoogste 32 bytes lang.');
  if (change.simPin && !/^\d{4,8}$/.test(change.simPin))
    errors.add('simPin', 'Pincode van de simkaart bestaat uit 4 tot 8 cijfers.');
  if (change.wifiPassword && !/^[\x20-\x7e]{8,63}$/.test(change.wifiPassword))
    errors.add('wifiPassword', 'Wifi-wachtwoord is 8 tot 63 tekens lang, zonder accenten.');
  errors.throwIfAny();
  const sealed = (column: SecretColumn, secret: string | undefined) =>
    secret ? secrets.seal(`logger_network.${column}`, streamId, secret) : null;
  await db.query(
    `insert into logger_network as n (stream_id, kind, apn, wifi_ssid, sim_pin, wifi_password)
     values ($1, $2, coalesce($3, ''), coalesce($4, ''), $5, $6)
     on conflict (stream_id) do update set
       kind = excluded.kind, apn = coalesce($3, n.apn), wifi_ssid = coalesce($4, n.wifi_ssid),
       sim_pin = case when $7 then n.sim_pin else excluded.sim_pin end,
       wifi_password = case when $8 then n.wifi_password else excluded.wifi_password end,
       updated_at = now()`,
    [
      streamId,
      change.kind,
      apn,
      ssid,
      sealed('sim_pin', change.simPin),
      sealed('wifi_password', change.wifiPassword),
      change.simPin === undefined,
      change.wifiPassword === undefined,
    ],
  );
  const view = await networkView(db, streamId);
  if (view.kind === 'wifi' && view.wifiSsid === '')
    errors.add('wifiSsid', 'Naam van het wifi-netwerk ontbreekt.');
  errors.throwIfAny();
  return view;
}

/** Returns the text, after checking that it is printable; null: the setting does not change. */
function printable(text: string | undefined, field: 'apn' | 'wifiSsid', errors: FieldErrors): string | null {
  const trimmed = text?.trim() ?? null;
  if (trimmed !== null && /\p{C}/u.test(trimmed))
    errors.add(field, `${FIELD_TEXTS[field]} bevat een onleesbaar teken.`);
  return trimmed;
}

/** Returns the network for a logger's configuration, including secrets. */
export async function loggerNetwork(
  db: Database,
  secrets: Secrets,
  streamId: number,
  defaults: MobileDefaults,
): Promise<LoggerNetwork> {
  const { rows } = await db.query<{
    kind: 'mobile' | 'wifi';
    apn: string;
    wifiSsid: string;
    simPin: Buffer | null;
    wifiPassword: Buffer | null;
  }>('select kind, apn, wifi_ssid, sim_pin, wifi_password from logger_network where stream_id = $1', [
    streamId,
  ]);
  const row = rows[0];
  const opened = (column: SecretColumn, sealed: Buffer | null | undefined) =>
    sealed ? secrets.open(`logger_network.${column}`, streamId, sealed) : '';
  if (row?.kind === 'wifi')
    return { kind: 'wifi', ssid: row.wifiSsid, password: opened('wifi_password', row.wifiPassword) };
  // A logger with its own APN does not use the default user name.
  const own = row && row.apn !== '' && row.apn !== defaults.apn;
  return {
    kind: 'mobile',
    apn: own ? row.apn : defaults.apn,
    user: own ? '' : defaults.user,
    password: own ? '' : defaults.password,
    pin: opened('sim_pin', row?.simPin),
  };
}
