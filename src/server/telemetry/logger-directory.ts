import { DefinitionError, definitionThread } from '#server/definitions/definition-thread.ts';
import { readDefinition } from '#server/definitions/definitions.store.ts';
import type { ChangeNotifier } from '#server/platform/changes.ts';
import type { Database } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { AbsentValues, Definition } from '#shared/contract/definition.ts';
import { createBatchedReader } from './batched-reads.ts';
import { createDecodePlan, type DecodePlan } from './decode/can-log/decode-plan.ts';

/** An active key pair of a logger. */
export type LoggerKey = {
  readonly accessKey: string;
  readonly secret: string;
  readonly loggerSerial: string;
  readonly writerId: number;
  /**
   * Set after a sale of the machine: uploads that are signed with the key from this time on (ms) are quarantined. Infinity: the key
   * was created for the present owner.
   */
  readonly replaceBy: number;
  /** Unix time in ms. */
  readonly createdAt: number;
};

/** The stream and definition of a logger between two times (ms); -Infinity and Infinity mean no limit. */
export type Binding = {
  readonly writerId: number;
  readonly streamId: number;
  /** The present owner of the stream, who may not have owned it during the binding. */
  readonly organizationId: number;
  /** The earlier owners of the stream, in chronological order. */
  readonly formerOwners: readonly FormerOwner[];
  readonly definitionId: number | undefined;
  /** Values of a snapshot that the definition declares absent; undefined if there are none. */
  readonly absent?: AbsentValues | undefined;
  readonly from: number;
  readonly to: number;
};

/** `until`: Unix time in ms, exclusive. */
export type FormerOwner = { readonly organizationId: number; readonly until: number };

/** A cached value is returned synchronously: a promise would cost a microsecond for each of the three look-ups of an upload. */
type Cached<T> = T | Promise<T>;

/** Caches the keys and bindings of loggers until they change. */
export type LoggerDirectory = {
  key(accessKey: string): Cached<LoggerKey | undefined>;
  /** Returns the bindings of a logger in chronological order, without overlap. */
  bindings(loggerSerial: string): Cached<readonly Binding[]>;
  /** Returns a definition. @throws DefinitionError when parsing its DBC files takes too much time or memory */
  definition(definitionId: number): Cached<ReadDefinition>;
};

/** A definition whose DBC files were parsed. */
export type ReadDefinition = {
  readonly definition: Definition;
  /** Returns the definition prepared for decoding. @throws DefinitionError when it is unreadable */
  readonly plan: () => DecodePlan;
};

/** Maximum number of cached entries, because unknown clients can add entries. */
const MAX_CACHED = 50_000;

/** Opens the directory. @param changes notifies when the cache is outdated */
export function openLoggerDirectory(
  db: Database,
  secrets: Secrets,
  changes: ChangeNotifier,
): LoggerDirectory {
  let version = '';
  const keys = new Map<string, LoggerKey | undefined>();
  const bindings = new Map<string, readonly Binding[]>();
  const definitions = new Map<number, ReadDefinition>();

  function cached<K, V>(known: Map<K, V>, key: K, read: (key: K) => Promise<V>): Cached<V> {
    const current = changes.directoryVersion();
    if (current === version && known.has(key)) return known.get(key) as V;
    return readAgain(known, key, read, current);
  }

  async function readAgain<K, V>(
    known: Map<K, V>,
    key: K,
    read: (key: K) => Promise<V>,
    asked: string | Promise<string>,
  ): Promise<V> {
    const current = await asked;
    if (current !== version) {
      version = current;
      for (const map of [keys, bindings, definitions]) map.clear();
    }
    if (known.has(key)) return known.get(key) as V;
    const value = await read(key);
    // Does not cache a value from before a change that arrived meanwhile.
    if (version === current) {
      if (known.size >= MAX_CACHED) known.clear();
      known.set(key, value);
    }
    return value;
  }

  const readKey = createBatchedReader((accessKeys: readonly string[]) => readKeys(db, secrets, accessKeys));
  const readBinding = createBatchedReader((serials: readonly string[]) => readBindings(db, serials));
  const readAllBindings = async (loggerSerial: string) => (await readBinding(loggerSerial)) ?? [];
  const readWithPlan = async (definitionId: number) => withPlan(await readDefinition(db, definitionId));
  return {
    key: (accessKey) => cached(keys, accessKey, readKey),
    bindings: (loggerSerial) => cached(bindings, loggerSerial, readAllBindings),
    definition: (definitionId) => cached(definitions, definitionId, readWithPlan),
  };
}

/** Parses the DBC files once, in a worker thread, and keeps only the part that the mapping uses. */
async function withPlan(definition: Definition): Promise<ReadDefinition> {
  try {
    const targets = await definitionThread.run('targets', { definition });
    return { definition, plan: () => createDecodePlan(targets) };
  } catch (error) {
    if (!(error instanceof DefinitionError) || error.kind !== 'unreadable') throw error;
    const plan = (): never => {
      throw error;
    };
    return { definition, plan };
  }
}

async function readKeys(
  db: Database,
  secrets: Secrets,
  accessKeys: readonly string[],
): Promise<Map<string, LoggerKey>> {
  const { rows } = await db.query<Omit<LoggerKey, 'secret'> & { sealed: Buffer }>(
    `select k.access_key, k.writer_id, w.logger_serial, k.secret as sealed,
       extract(epoch from coalesce(k.replace_by, 'infinity'))::float8 * 1000 as replace_by,
       extract(epoch from k.created_at)::float8 * 1000 as created_at
     from writer_key k join writer w on w.id = k.writer_id
     where k.access_key = any ($1) and /*rule:key-withdrawn*/ k.retired_at is null /*=true*/`,
    [accessKeys],
  );
  return new Map(
    rows.map(({ sealed, ...key }) => [
      key.accessKey,
      { ...key, secret: secrets.open('writer_key.secret', key.accessKey, sealed) },
    ]),
  );
}

/** Returns the bindings of those loggers that ever had one. */
async function readBindings(db: Database, loggerSerials: readonly string[]): Promise<Map<string, Binding[]>> {
  const { rows } = await db.query<
    Omit<Binding, 'definitionId' | 'absent'> & {
      serial: string;
      definitionId: number | null;
      former: readonly FormerDefinition[];
      absent: readonly { readonly definitionId: number; readonly values: AbsentValues }[];
      erased: readonly { readonly from: number | null; readonly to: number }[];
    }
  >(
    `select w.id as writer_id, w.logger_serial as serial, w.stream_id,
       o.organization_id, w.definition_id,
       extract(epoch from w.valid_from)::float8 * 1000 as "from", extract(epoch from w.valid_to)::float8 * 1000 as "to",
       array(
         select json_build_object('definitionId', f.definition_id, 'until', extract(epoch from f.until)::float8 * 1000)
         from former_definition f where f.writer_id = w.id order by f.until
       ) as former,
       array(
         select json_build_object('definitionId', d.id, 'values', d.absent) from definition d
         where d.absent <> '{}' and (d.id = w.definition_id
           or d.id in (select f.definition_id from former_definition f where f.writer_id = w.id))
       ) as absent,
       array(
         select json_build_object('organizationId', p.organization_id, 'until', extract(epoch from p.valid_to)::float8 * 1000)
         from ownership p where p.stream_id = w.stream_id and p.valid_to <> 'infinity' order by p.valid_from
       ) as former_owners,
       array(
         select json_build_object('from', extract(epoch from nullif(p.valid_from, '-infinity'))::float8 * 1000,
           'to', extract(epoch from p.valid_to)::float8 * 1000)
         from erased_period e join ownership p on p.id = e.ownership_id where p.stream_id = w.stream_id and p.valid_to < 'infinity'
       ) as erased
     from writer w join ownership o on o.stream_id = w.stream_id and o.valid_to = 'infinity'
     where w.logger_serial = any ($1) order by w.valid_from`,
    [loggerSerials],
  );
  const found = new Map<string, Binding[]>();
  for (const { serial, definitionId, former, absent, erased, ...binding } of rows) {
    const known = found.get(serial) ?? [];
    const parts = splitByDefinition({ ...binding, definitionId: definitionId ?? undefined }, former).map(
      (part) => ({
        ...part,
        absent: absent.find((one) => one.definitionId === part.definitionId)?.values,
      }),
    );
    known.push(...erased.reduce(withoutErasedTime, parts));
    found.set(serial, known);
  }
  return found;
}

/** An earlier definition of a binding, and the time until which it was used (ms). */
export type FormerDefinition = { readonly definitionId: number; readonly until: number };

/**
 * Splits a binding by its definitions (docs/figures.md section 1). A time without a definition gets the next definition, because
 * otherwise a log from before the first DBC could not be decoded.
 * @param former in chronological order
 */
export function splitByDefinition(binding: Binding, former: readonly FormerDefinition[]): Binding[] {
  const { definitionId, from, to } = binding;
  const all = [...former, { definitionId, until: Number.POSITIVE_INFINITY }];
  return all
    .map(({ definitionId, until }, n) => ({
      ...binding,
      definitionId,
      from: Math.max(from, former[n - 1]?.until ?? from),
      to: Math.min(to, until),
    }))
    .filter((part) => part.from < part.to);
}

/**
 * Returns the bindings without a range whose readings were permanently erased, so that no reading is stored in that range again.
 * `from` null: no beginning.
 */
export const withoutErasedTime = (
  bindings: readonly Binding[],
  { from, to }: { readonly from: number | null; readonly to: number },
): Binding[] =>
  bindings
    .flatMap((binding) => [
      { ...binding, to: Math.min(binding.to, from ?? Number.NEGATIVE_INFINITY) },
      { ...binding, from: Math.max(binding.from, to) },
    ])
    .filter((part) => part.from < part.to);

/** Returns the binding that was valid at `time` (ms). */
export const bindingAt = (bindings: readonly Binding[], time: number): Binding | undefined =>
  /*rule:reading-binding-of-its-time*/ bindings.find(
    ({ from, to }) => from <= time && time < to,
  ) /*=bindings.at(-1)*/;
