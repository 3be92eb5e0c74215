import type { Pool } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { type StreamReading, toRow } from '#server/telemetry/signal-columns.ts';
import type { Signals } from '#shared/domain/signal.ts';

/** The schema of migrations 0001 to 0007, filled as the version that ran on it did. */

const START = Date.UTC(2026, 10, 2, 8);

/**
 * Two machines over three weeks: work, charging, gaps, what came late, twice, and with a signal more. In batches, as
 * they came in.
 */
export const FIRST_READINGS: readonly (readonly StreamReading[])[] = [
  series(1, START, 60, 20_000, (n) => ({
    LATITUDE: 52 + n / 1e4,
    LONGITUDE: 5 + n / 1e4,
    MotorSpeed: n % 7 === 0 ? 0 : 900,
    BatteryCurrent: 120 - n,
    BatteryVoltage: 700,
    Soc1: 80 - n / 10,
    Olie: n,
  })),
  series(2, START, 30, 60_000, (n) => ({
    IsCharging: n > 5 ? 1 : 0,
    ChargingCurrent: n > 5 ? 40 : 0,
    ChargingVoltage: 690,
    Soc1: 40 + n,
    Soc2: 41 + n,
  })),
  series(1, START + 7 * 86_400_000, 40, 100_000, (n) => ({
    LATITUDE: 53 + n / 1e4,
    LONGITUDE: 6 + n / 1e4,
    MotorSpeed: 600,
    BatteryCurrent: -n,
    Speed: n / 3,
  })),
  // Late, for a time between; and again, with a signal more.
  series(1, START + 10_000, 20, 20_000, (n) => ({ MotorSpeed: 300 + n, Soc1: 70 })),
  series(1, START, 10, 20_000, () => ({ Machinestatus: 2 })),
  series(2, START + 14 * 86_400_000, 20, 30_000, (n) => ({ Spoor: 1, Spoorstand: n % 3, Speed: n })),
];

function series(
  streamId: number,
  from: number,
  count: number,
  stepMs: number,
  signals: (n: number) => Signals,
): StreamReading[] {
  return Array.from({ length: count }, (_, n) => ({
    streamId,
    time: from + n * stepMs,
    signals: signals(n),
  }));
}

/** ingest_readings() as it was then (migrations/0003-readings.sql). */
export async function firstIngest(pool: Pool, batches: readonly (readonly StreamReading[])[]): Promise<void> {
  for (const batch of batches) {
    const rows = batch.map(({ signals }) => toRow(signals));
    const columns = Array.from({ length: 16 }, (_, n) => rows.map(({ columns }) => columns[n] ?? null));
    const newest: Record<string, [number, number]> = {};
    for (const { time, signals } of batch)
      for (const name in signals) newest[name] = [signals[name] as number, time];
    const oldest = Math.min(...Object.values(newest).map(([, time]) => time));
    await pool.query('select ensure_week(t) from unnest($1::timestamptz[]) as t', [
      batch.map(({ time }) => new Date(time)),
    ]);
    await pool.query(`select ingest_readings(${Array.from({ length: 23 }, (_, n) => `$${n + 1}`).join()})`, [
      batch.map(({ streamId }) => streamId),
      batch.map(({ time }) => new Date(time)),
      ...columns,
      rows.map(({ rest }) => (rest ? JSON.stringify(rest) : null)),
      [batch[0]?.streamId],
      [new Date(batch.at(-1)?.time ?? 0)],
      [JSON.stringify(newest)],
      [new Date(oldest)],
    ]);
  }
}

type Known = { serial: string; accessKey: string; secret: string; passwordHash: string };

/** At least one row in every table. */
export async function fillFirstSchema(pool: Pool, secrets: Secrets, known: Known): Promise<void> {
  const run = (sql: string, ...values: unknown[]) => pool.query(sql, values);
  await run(
    `insert into organization (name, clean, code, is_active, is_berende) values
       ('admin', 'Admin', 'ADMIN-CODE', true, false), ('klant', 'Klant BV', 'KLANT-CODE', true, false),
       ('weg', 'Weg BV', 'WEG-CODE', false, false), ('spoor', 'Spoor BV', 'SPOOR-CODE', true, true)`,
  );
  await run(
    `insert into account (email, password_hash, organization_id) values
       ('baas@admin.nl', $1, 1), ('Anna@Klant.nl', $1, 2), ('piet@weg.nl', $1, 3)`,
    known.passwordHash,
  );
  await run(
    `insert into session (token_hash, account_id, expires_at) values ('\\x01', 2, now() + interval '13 days')`,
  );
  await run(
    `insert into audit (actor, action, subject, data) values ('first start', 'account.create', 'baas@admin.nl', '{"a": 1}')`,
  );
  await run(`insert into rate_limit (key, window_start, count) values ('login anna', now(), 3)`);
  await run(
    `insert into stream (kind, serial, alias, deleted_at) values
       ('machine', 'OUD-1', 'Oude kraan', null), ('logger', '2000001', 'Spoorlogger', null),
       ('machine', 'WEG-1', 'Verwijderd', '2026-11-01T00:00Z')`,
  );
  await run(
    `insert into machine (stream_id, brand, model, macaddress, batteries, accessories, initial_hours, reference_stream_id, version) values
       (1, 'Volta', 'EX-1', 'AA:BB:CC:DD:EE:FF', '[{"capacity": 130}, {"capacity": null}]', '[{"naam": "Bak", "nummer": 1}]', 12.5, 3, 4),
       (3, 'Volta', 'EX-0', '', '[]', '[]', 0, null, 1)`,
  );
  await run(
    `insert into ownership (stream_id, organization_id, valid_from, valid_to) values
       (1, 3, '-infinity', '2026-10-01T00:00Z'), (1, 2, '2026-10-01T00:00Z', 'infinity'), (2, 4, '-infinity', 'infinity'),
       (3, 2, '-infinity', 'infinity')`,
  );
  await run(
    `insert into definition (mapping) values
       ('{"signals": [{"bus": 0, "message": "BMS", "signal": "SocDisp", "to": "Soc1", "factor": 1, "offset": 0}], "keep": []}')`,
  );
  await run(
    `insert into definition_bus (definition_id, bus, bitrate, name, dbc) values (1, 0, 250000, 'can0.dbc', 'VERSION ""')`,
  );
  await run(
    `insert into writer (stream_id, logger_serial, definition_id, valid_from, valid_to) values
       (1, '7000009', null, '-infinity', '2026-10-15T00:00Z'), (1, $1, 1, '2026-10-15T00:00Z', 'infinity'),
       (2, '2000001', null, '-infinity', 'infinity')`,
    known.serial,
  );
  await run(
    `insert into writer_key (access_key, writer_id, secret, first_used_at, retired_at) values
       ($1, 2, $2, now(), null), ('WSOLDKEY00000000', 1, $2, now(), now())`,
    known.accessKey,
    secrets.seal(known.secret),
  );
  await run(
    `insert into writer_health (writer_id, last_seen_at, last_error, last_error_at, status, status_at, counters) values
       (2, now(), 'IncompleteBody: a.log', now(), '{"configGuid": "abc"}', now(), '{"uploads": 9, "readings": 7}')`,
  );
  await run(`insert into unknown_key (access_key, count) values ('STRANGER', 12)`);
  await run('insert into latest (stream_id) values (1), (2)');
  await run(
    `insert into event (stream_id, kind, from_time, to_time, data) values (1, 'started', '2026-11-02T08:00Z', null, '{}')`,
  );
  await run(
    `insert into object (logger_serial, key, size, etag, content_type, metadata, modified_at, outcome, body) values
       ($1, 'WS_SN7000001/snapshot.json', 2, 'e', 'application/json', '{"a": "b"}', now(), 'meting', '{}'),
       ($1, 'WS_SN7000001/whole.log', 3, 'e', 'text/plain', '{}', now(), '12 metingen', null),
       ($1, 'WS_SN7000001/broken.log', 3, 'e', 'text/plain', '{}', now(), 'niet gedecodeerd', null),
       ($1, 'WS_SN7000001/raw.rxd', 3, 'e', 'text/plain', '{}', now(), 'niet gedecodeerd', null)`,
    known.serial,
  );
  await run(`insert into object_chunk (object_id, n, data) values (2, 0, 'abc'), (4, 0, 'def')`);
  await run(
    `insert into quarantine (logger_serial, key, reason, size, body) values ($1, 'WS_SN7000001/x.json', 'onleesbaar', 3, 'xyz')`,
    known.serial,
  );
  await run(
    `insert into import_progress (fingerprint, resume, finished) values ('f1', '{"offset": 12}', false)`,
  );
  await run(`insert into background_task (name, done) values ('Geschiedenis vullen', 0.5)`);
  await run('insert into secrets_check (sealed) values ($1)', secrets.seal('werkstroom'));
}
