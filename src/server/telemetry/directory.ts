import type { Changes } from '#server/platform/changes.ts';
import type { Database } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Definition, Mapping } from '#shared/domain/definition.ts';

/** A key pair of a logger, in force. */
export type LoggerKey = {
  readonly accessKey: string;
  readonly secret: string;
  readonly loggerSerial: string;
  readonly writerId: number;
};

/** For which stream a logger reported, from a time up to a time (ms; -Infinity and Infinity: without end). */
export type Binding = {
  readonly writerId: number;
  readonly streamId: number;
  readonly definitionId: number | undefined;
  readonly from: number;
  readonly to: number;
};

/** Who signs with which key, and where a logger's readings belong: read once, kept until it changes. */
export type Directory = {
  key(accessKey: string): Promise<LoggerKey | undefined>;
  /** In order of time; they do not overlap. */
  bindings(loggerSerial: string): Promise<readonly Binding[]>;
  definition(definitionId: number): Promise<Definition>;
};

/** Bounds what strangers can make us remember. */
const MAX_REMEMBERED = 50_000;

/** @param changes tells when to forget */
export function openDirectory(db: Database, secrets: Secrets, changes: Changes): Directory {
  let version = '';
  const keys = new Map<string, LoggerKey | undefined>();
  const bindings = new Map<string, readonly Binding[]>();
  const definitions = new Map<number, Definition>();

  async function remembered<K, V>(known: Map<K, V>, key: K, read: () => Promise<V>): Promise<V> {
    const current = await changes.directoryVersion();
    if (current !== version) {
      version = current;
      for (const map of [keys, bindings, definitions]) map.clear();
    }
    if (known.has(key)) return known.get(key) as V;
    const value = await read();
    // Not what was read before a change that came in meanwhile.
    if (version === current) {
      if (known.size >= MAX_REMEMBERED) known.clear();
      known.set(key, value);
    }
    return value;
  }

  return {
    key: (accessKey) =>
      remembered(keys, accessKey, async () => {
        const { rows } = await db.query<{ writer_id: number; logger_serial: string; secret: Buffer }>(
          `select k.writer_id, w.logger_serial, k.secret from writer_key k join writer w on w.id = k.writer_id
           where k.access_key = $1 and k.retired_at is null`,
          [accessKey],
        );
        const row = rows[0];
        return (
          row && {
            accessKey,
            secret: secrets.open(row.secret),
            loggerSerial: row.logger_serial,
            writerId: row.writer_id,
          }
        );
      }),

    bindings: (loggerSerial) =>
      remembered(bindings, loggerSerial, async () => {
        const { rows } = await db.query<{
          id: number;
          stream_id: number;
          definition_id: number | null;
          from_ms: number;
          to_ms: number;
        }>(
          `select id, stream_id, definition_id,
             extract(epoch from valid_from)::float8 * 1000 as from_ms, extract(epoch from valid_to)::float8 * 1000 as to_ms
           from writer where logger_serial = $1 order by valid_from`,
          [loggerSerial],
        );
        return rows.map((row) => ({
          writerId: row.id,
          streamId: row.stream_id,
          definitionId: row.definition_id ?? undefined,
          from: row.from_ms,
          to: row.to_ms,
        }));
      }),

    definition: (definitionId) =>
      remembered(definitions, definitionId, async () => readDefinition(db, definitionId)),
  };
}

/** A data definition with its buses; without buses when there is none of that id. */
export async function readDefinition(db: Database, definitionId: number): Promise<Definition> {
  const { rows: mappings } = await db.query<{ mapping: Mapping }>(
    'select mapping from definition where id = $1',
    [definitionId],
  );
  const { rows: buses } = await db.query<{ bus: number; bitrate: number; name: string; dbc: string }>(
    'select bus, bitrate, name, dbc from definition_bus where definition_id = $1 order by bus',
    [definitionId],
  );
  return { buses, mapping: mappings[0]?.mapping ?? { signals: [], keep: [] } };
}

/** The binding that was valid at `time` (ms). */
export const bindingAt = (bindings: readonly Binding[], time: number): Binding | undefined =>
  bindings.find(({ from, to }) => from <= time && time < to);
