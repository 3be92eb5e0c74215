import { existsSync, readdirSync } from 'node:fs';

const DEBIAN = '/usr/lib/postgresql';

/** Returns the folder with the programs of the oldest PostgreSQL from 15 on that Debian installed; undefined if there is none. */
export function findDebianPostgres(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const [oldest] = versions
    .filter((version) => version >= 15 && existsSync(`${DEBIAN}/${version}/bin/initdb`))
    .sort((a, b) => a - b);
  return oldest === undefined ? undefined : `${DEBIAN}/${oldest}/bin`;
}

/** Returns whether an external PostgreSQL is available: EXTERNAL_DATABASE_URL, or Debian's programs to start one. */
export function hasExternalPostgres(): boolean {
  return Boolean(process.env.EXTERNAL_DATABASE_URL) || findDebianPostgres() !== undefined;
}
