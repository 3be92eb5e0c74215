import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { connectionToDatabase, migrateEmpty } from '#server/test/postgres.ts';
import { isNode, parseTree } from './node-tree.ts';
import { type Catalog, type Nullability, notNullParameters, nullabilities } from './nullability.ts';

/** Reads the columns and parameters of statements from a PostgreSQL with the portal's schema, without running the statements. */

export type Column = {
  readonly name: string;
  readonly type: string;
  readonly oid: number;
  readonly nullability: Nullability;
};
export type Parameter = { readonly type: string; readonly oid: number; readonly isStoredNotNull: boolean };
export type StatementDescription = {
  readonly columns: readonly Column[];
  readonly parameters: readonly Parameter[];
};

export type CheckServer = {
  /** Returns the columns and parameters of a statement. @throws Error with the reason why PostgreSQL refuses the statement */
  describe(text: string): Promise<StatementDescription>;
  /** Runs a statement, for example one that creates a temporary table. */
  run(text: string): Promise<unknown>;
  stop(): Promise<void>;
};

/** Starts the embedded PostgreSQL in a temporary folder, with the newest schema. */
export async function startServer(): Promise<CheckServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-check-sql-'));
  const settings = ['fsync=off', 'synchronous_commit=off'];
  const embedded = await startEmbedded({ dataDir, log: () => {}, settings });
  const admin = new pg.Client(embedded.connection);
  await admin.connect();
  await admin.query('create database checked');
  await admin.end();
  const connection = connectionToDatabase(embedded.connection, 'checked');
  await migrateEmpty(connection);
  const client = new pg.Client(connection);
  await client.connect();
  let catalog = await readCatalog(client);
  const types = await readTypes(client);
  // Makes the server send the parse tree of each statement to the client, as a notice.
  await client.query('set debug_print_parse = on');
  await client.query('set debug_pretty_print = off');
  await client.query('set log_min_messages = panic');
  await client.query('set client_min_messages = log');
  return {
    async describe(text) {
      const { fields, parameters, tree } = await describe(client, text);
      const query = tree === undefined ? undefined : parseTree(tree);
      const nulls = isNode(query) ? nullabilities(query, catalog) : [];
      const notNull = isNode(query) ? notNullParameters(query, catalog) : new Set<number>();
      return {
        columns: fields.map(({ name, dataTypeID: oid }, n) => ({
          name,
          oid,
          type: types.get(oid) ?? '?',
          nullability: nulls[n] ?? 'unknown',
        })),
        parameters: parameters.map((oid, n) => ({
          oid,
          type: types.get(oid) ?? '?',
          isStoredNotNull: notNull.has(n + 1),
        })),
      };
    },
    async run(text) {
      await client.query(text);
      catalog = await readCatalog(client);
    },
    async stop() {
      await client.end();
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function readCatalog(client: pg.Client): Promise<Catalog> {
  const { rows: columns } = await client.query<{ key: string }>(
    `select attrelid || '.' || attnum as key from pg_attribute where attnotnull and attnum > 0`,
  );
  const { rows: functions } = await client.query<{ oid: string; name: string; strict: boolean }>(
    `select oid::text, proname::text as name, proisstrict as strict from pg_proc`,
  );
  return {
    notNull: new Set(columns.map(({ key }) => key)),
    strict: new Set(functions.filter(({ strict }) => strict).map(({ oid }) => oid)),
    functions: new Map(functions.map(({ oid, name }) => [oid, name])),
  };
}

async function readTypes(client: pg.Client): Promise<Map<number, string>> {
  const { rows } = await client.query<{ oid: number; name: string }>(
    `select oid, format_type(oid, null) as name from pg_type`,
  );
  return new Map(rows.map(({ oid, name }) => [oid, name]));
}

type Described = {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
  readonly parameters: readonly number[];
  readonly tree: string | undefined;
};

/** The undocumented methods of pg's connection that describe() calls. */
type Wire = {
  parse(of: { name: string; text: string; types: readonly number[] }): void;
  describe(of: { type: 'S'; name: string }): void;
  sync(): void;
  on(event: 'message', listener: (message: Message) => void): void;
  off(event: 'message', listener: (message: Message) => void): void;
};
type Message = {
  readonly name: string;
  readonly message?: string;
  readonly detail?: string;
  readonly dataTypeIDs?: readonly number[];
};

/** Describes a statement by the protocol messages Parse and Describe, which pg has no public method to send. */
function describe(client: pg.Client, text: string): Promise<Described> {
  return new Promise((resolve, reject) => {
    const { connection } = client as unknown as { connection: Wire };
    let fields: Described['fields'] = [];
    let parameters: readonly number[] = [];
    let tree: string | undefined;
    const onMessage = (message: Message) => {
      if (message.name === 'parameterDescription') parameters = message.dataTypeIDs ?? [];
      if (message.name === 'notice' && message.message === 'parse tree:') tree ??= message.detail;
    };
    connection.on('message', onMessage);
    client.query({
      submit() {
        connection.parse({ name: '', text, types: [] });
        connection.describe({ type: 'S', name: '' });
        connection.sync();
      },
      handleRowDescription(message: Pick<Described, 'fields'>) {
        ({ fields } = message);
      },
      // Removes the listener here too, because after an error pg calls no other handler of the query.
      handleError(error: Error) {
        connection.off('message', onMessage);
        reject(error);
      },
      handleReadyForQuery() {
        connection.off('message', onMessage);
        resolve({ fields, parameters, tree });
      },
    } as unknown as pg.Submittable);
  });
}
