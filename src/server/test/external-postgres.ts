import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { findDebianPostgres } from './external-programs.ts';
import { databaseUrlAs, startServer } from './own-server.ts';
import { createTemplateDatabase, dropTemplateDatabase } from './postgres.ts';

/**
 * Provides the external PostgreSQL of a test run: that of EXTERNAL_DATABASE_URL (a role that may create databases), otherwise a temporary
 * server of the programs that Debian installed. Without either, the tests that need an external PostgreSQL are skipped.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const programs = findDebianPostgres();
  const given = process.env.EXTERNAL_DATABASE_URL;
  if (!given && !programs) {
    process.stdout.write(
      'Skipped: the tests on an external PostgreSQL. There is no EXTERNAL_DATABASE_URL and no postgresql-15 or newer of Debian.\n',
    );
    return async () => {};
  }
  const cluster = given ? undefined : await startCluster(programs as string);
  const connection = { connectionString: given || (cluster?.url as string) };
  try {
    await createTemplateDatabase(connection, cluster?.application);
  } catch (error) {
    await cluster?.stop();
    throw error;
  }
  project.provide('postgres', connection);
  project.provide('application', cluster ? databaseUrlAs(cluster.url, cluster.application) : connection);
  return async () => {
    if (cluster) await cluster.stop();
    else await dropTemplateDatabase(connection);
  };
}

/** Starts a PostgreSQL server with a role that owns the tables and is no superuser, and a role for the portal. */
async function startCluster(programs: string) {
  const server = await startServer(programs);
  const password = randomBytes(12).toString('hex');
  const application = { user: 'klant_portaal', password };
  try {
    await server.asSuperuser(
      `create role klant login createdb password '${password}'; create role klant_portaal login password '${password}'`,
    );
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    url: databaseUrlAs(server.url, { user: 'klant', password }).connectionString,
    application,
    stop: server.stop,
  };
}
