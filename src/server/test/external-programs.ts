import { existsSync, readdirSync } from 'node:fs';

const DEBIAN = '/usr/lib/postgresql';

/** The programs of the oldest PostgreSQL from 15 on that Debian installed; undefined where there is none. */
export function debianPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const [oldest] = versions
    .filter((version) => version >= 15 && existsSync(`${DEBIAN}/${version}/bin/initdb`))
    .sort((a, b) => a - b);
  return oldest === undefined ? undefined : `${DEBIAN}/${oldest}/bin`;
}

/** Whether there is a PostgreSQL that is not ours: EXTERNAL_DATABASE_URL, or programs to start one of our own with. */
export function hasExternal(): boolean {
  return Boolean(process.env.EXTERNAL_DATABASE_URL) || debianPrograms() !== undefined;
}
