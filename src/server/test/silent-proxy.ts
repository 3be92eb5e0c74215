import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type pg from 'pg';

/** Proxy to a PostgreSQL whose connections can go silent, as behind a router that dropped their state. */
export type SilentProxy = {
  readonly connection: pg.ClientConfig;
  /** Stops all traffic on the connections that are open now; new ones work. Returns how many were silenced. */
  silence(): number;
  close(): Promise<void>;
};

export async function silentProxy(to: pg.ClientConfig): Promise<SilentProxy> {
  const open = new Set<readonly [Socket, Socket]>();
  const target = to.connectionString ? new URL(to.connectionString) : undefined;
  const host = target?.hostname ?? to.host ?? '127.0.0.1';
  const port = Number(target?.port || to.port || 5432);
  const server = createServer((client) => {
    const database = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const pair = [client, database] as const;
    open.add(pair);
    client.pipe(database).pipe(client);
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const here = (server.address() as AddressInfo).port;
  if (target) target.host = `127.0.0.1:${here}`;
  return {
    connection: target ? { ...to, connectionString: target.href } : { ...to, host: '127.0.0.1', port: here },
    silence() {
      for (const [client, database] of open) {
        client.unpipe(database);
        database.unpipe(client);
      }
      return open.size;
    },
    async close() {
      for (const pair of open) for (const socket of pair) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
