import pg from 'pg';
import { connectionToDatabase } from './postgres.ts';

/** Connection to the coordinator of a Citus cluster: CITUS_URL, an empty database to which the workers were added. Undefined without it. */
export const CITUS_CONNECTION: pg.ClientConfig | undefined = process.env.CITUS_URL
  ? { connectionString: process.env.CITUS_URL }
  : undefined;

async function on<Row extends object>(connection: pg.ClientConfig, ...statements: string[]): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const sql of statements) ({ rows } = await client.query(sql));
    return rows;
  } finally {
    await client.end();
  }
}

type Node = { readonly host: string; readonly port: number };

const readWorkers = (coordinator: pg.ClientConfig): Promise<Node[]> =>
  on<Node>(
    coordinator,
    'select nodename as host, nodeport as port from pg_dist_node where groupid > 0 and isactive order by 1, 2',
  );

/** Returns the connection to a node of the cluster, as the user of CITUS_URL. */
function at({ connectionString }: pg.ClientConfig, { host, port }: Node): pg.ClientConfig {
  const url = new URL(connectionString ?? '');
  url.hostname = host;
  url.port = String(port);
  return { connectionString: url.href };
}

/** Creates an empty database with the workers of CITUS_URL. Simultaneous calls run one at a time, as each sends roles to the workers. */
export async function createClusterDatabase(coordinator: pg.ClientConfig, name: string): Promise<void> {
  const turn = new pg.Client(coordinator);
  await turn.connect();
  try {
    await turn.query('select pg_advisory_lock(1)');
    await create(coordinator, name);
  } finally {
    await turn.end();
  }
}

async function create(coordinator: pg.ClientConfig, name: string): Promise<void> {
  const workers = await readWorkers(coordinator);
  for (const node of [coordinator, ...workers.map((worker) => at(coordinator, worker))]) {
    await on(node, 'set citus.enable_create_database_propagation = off', `create database ${name}`);
    await on(connectionToDatabase(node, name), 'create extension citus');
  }
  const { hostname, port } = new URL(coordinator.connectionString ?? '');
  await on(
    connectionToDatabase(coordinator, name),
    `select citus_set_coordinator_host('${hostname}', ${port || 5432})`,
    ...workers.map((worker) => `select citus_add_node('${worker.host}', ${worker.port})`),
  );
}

export async function dropClusterDatabase(coordinator: pg.ClientConfig, name: string): Promise<void> {
  for (const node of [
    coordinator,
    ...(await readWorkers(coordinator)).map((worker) => at(coordinator, worker)),
  ])
    await on(
      node,
      'set citus.enable_create_database_propagation = off',
      `drop database if exists ${name} with (force)`,
    );
}
