import { DefinitionError, definitionThread } from '#server/definitions/definition-thread.ts';
import { readDefinition } from '#server/definitions/definitions.store.ts';
import type { Changes } from '#server/platform/changes.ts';
import type { Database } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { AbsentValues, Definition } from '#shared/contract/definition.ts';
import { batchedReads } from './batched-reads.ts';
import { type DecodePlan, planOf } from './decode/can-log/decode-plan.ts';

/** A key pair of a logger, in force. */
export type LoggerKey = {
  readonly accessKey: string;
  readonly secret: string;
  readonly loggerSerial: string;
  readonly writerId: number;
  /** The machine was sold: what the key signs from then on (ms) is quarantined. Infinity: it was made for the present owner. */
  readonly replaceBy: number;
  /** Unix time in ms. */
  readonly createdAt: number;
};

/**
 * For which stream a logger reported, and with which definition, from a time up to a time (ms; -Infinity and Infinity:
 * without end).
 */
export type Binding = {
  readonly writerId: number;
  readonly streamId: number;
  /** Whose stream it is now, whoever had it then. */
  readonly organizationId: number;
  /** The earlier owners of the stream, in order of time. */
  readonly formerOwners: readonly FormerOwner[];
  readonly definitionId: number | undefined;
  /** Values of a snapshot that the definition leaves out; undefined: none. */
  readonly absent?: AbsentValues | undefined;
  readonly from: number;
  readonly to: number;
};

/** `until`: Unix time in ms, exclusive. */
export type FormerOwner = { readonly organizationId: number; readonly until: number };

/** What is remembered comes at once: a promise of it would cost every upload a microsecond, three times. */
type Remembered<T> = T | Promise<T>;

/** Who signs with which key, and where a logger's readings belong: read once, kept until it changes. */
export type Directory = {
  key(accessKey: string): Remembered<LoggerKey | undefined>;
  /** In order of time; they do not overlap. */
  bindings(loggerSerial: string): Remembered<readonly Binding[]>;
  /** @throws DefinitionError when its DBC files take too long to read, or too much memory */
  definition(definitionId: number): Remembered<ReadDefinition>;
};

/** A definition, its DBC files read already. */
export type ReadDefinition = {
  readonly definition: Definition;
  /** Made ready for decoding a log. @throws DefinitionError that it is unreadable */
  readonly plan: () => DecodePlan;
};

/** Bounds what strangers can make us remember. */
const MAX_REMEMBERED = 50_000;

/** @param changes tells when to forget */
export function openDirectory(db: Database, secrets: Secrets, changes: Changes): Directory {
  let version = '';
  const keys = new Map<string, LoggerKey | undefined>();
  const bindings = new Map<string, readonly Binding[]>();
  const definitions = new Map<number, ReadDefinition>();

  function remembered<K, V>(known: Map<K, V>, key: K, read: (key: K) => Promise<V>): Remembered<V> {
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
    // Not what was read before a change that came in meanwhile.
    if (version === current) {
      if (known.size >= MAX_REMEMBERED) known.clear();
      known.set(key, value);
    }
    return value;
  }

  const readKey = batchedReads((accessKeys: readonly string[]) => readKeys(db, secrets, accessKeys));
  const readBinding = batchedReads((serials: readonly string[]) => readBindings(db, serials));
  const readAllBindings = async (loggerSerial: string) => (await readBinding(loggerSerial)) ?? [];
  const readWithPlan = async (definitionId: number) => withPlan(await readDefinition(db, definitionId));
  return {
    key: (accessKey) => remembered(keys, accessKey, readKey),
    bindings: (loggerSerial) => remembered(bindings, loggerSerial, readAllBindings),
    definition: (definitionId) => remembered(definitions, definitionId, readWithPlan),
  };
}

/** A DBC is parsed once and in the thread; of what it says only that which the mapping takes is kept. */
async function withPlan(definition: Definition): Promise<ReadDefinition> {
  try {
    const targets = await definitionThread.run('targets', { definition });
    return { definition, plan: () => planOf(targets) };
  } catch (error) {
    if (!(error instanceof DefinitionError) || error.kind !== 'unreadable') throw error;
    const plan = (): never => {
      throw error;
    };
    return { definition, plan };
  }
}

/** Those of the keys that are in force. */
async function readKeys(
  db: Database,
  secrets: Secrets,
  accessKeys: readonly string[],
): Promise<Map<string, LoggerKey>> {
  const { rows } = await db.query<Omit<LoggerKey, 'secret'> & { sealed: Buffer }>(
    `select k.access_key as "accessKey", k.writer_id as "writerId", w.logger_serial as "loggerSerial", k.secret as sealed,
       extract(epoch from coalesce(k.replace_by, 'infinity'))::float8 * 1000 as "replaceBy",
       extract(epoch from k.created_at)::float8 * 1000 as "createdAt"
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

/** Of the loggers that ever had one. */
async function readBindings(db: Database, loggerSerials: readonly string[]): Promise<Map<string, Binding[]>> {
  const { rows } = await db.query<
    Omit<Binding, 'definitionId'> & {
      serial: string;
      definitionId: number | null;
      former: readonly FormerDefinition[];
      absent: readonly { readonly definitionId: number; readonly values: AbsentValues }[];
      erased: readonly { readonly from: number | null; readonly to: number }[];
    }
  >(
    `select w.id as "writerId", w.logger_serial as serial, w.stream_id as "streamId",
       o.organization_id as "organizationId", w.definition_id as "definitionId",
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
       ) as "formerOwners",
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
    const parts = byDefinition({ ...binding, definitionId: definitionId ?? undefined }, former).map(
      (part) => ({
        ...part,
        absent: absent.find((one) => one.definitionId === part.definitionId)?.values,
      }),
    );
    known.push(...erased.reduce(withoutTime, parts));
    found.set(serial, known);
  }
  return found;
}

/** Which definition a binding had before another one, and until when (ms). */
export type FormerDefinition = { readonly definitionId: number; readonly until: number };

/**
 * A binding, one for each of its definitions (docs/figures.md section 1). A time without one goes by the next that came:
 * nothing else could be made of a log from before the first DBC.
 * @param former in order of time
 */
export function byDefinition(binding: Binding, former: readonly FormerDefinition[]): Binding[] {
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

/** Returns bindings without a time whose readings were erased for good: nothing is stored in it any more. `from` null: without begin. */
export const withoutTime = (
  bindings: readonly Binding[],
  { from, to }: { readonly from: number | null; readonly to: number },
): Binding[] =>
  bindings
    .flatMap((binding) => [
      { ...binding, to: Math.min(binding.to, from ?? Number.NEGATIVE_INFINITY) },
      { ...binding, from: Math.max(binding.from, to) },
    ])
    .filter((part) => part.from < part.to);

/** The binding that was valid at `time` (ms). */
export const bindingAt = (bindings: readonly Binding[], time: number): Binding | undefined =>
  /*rule:reading-binding-of-its-time*/ bindings.find(
    ({ from, to }) => from <= time && time < to,
  ) /*=bindings.at(-1)*/;
