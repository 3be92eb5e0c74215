import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import type { Config } from '#server/config.ts';
import { addMachineFiles } from '#server/demo/machine-files.ts';
import { seedDemo } from '#server/demo/seed.ts';
import { openDatabase } from '#server/open-database.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { configSettings } from '#server/writers/configuration-settings.ts';
import { demoOrganizations, demoUsers } from '#shared/demo/organizations.ts';
import { DemoRefusal } from './demo-folder.ts';
import { announceHistory } from './history-report.ts';

/** Shared by `npm run demo` and `npm run dev -- --demo`: the seed, the processes of the fleet and the printed logins. */

const STARTS_WITHIN_MS = 60_000;
const ASK_AGAIN_AFTER_MS = 100;

/** A program of the simulated fleet, with its arguments after `node`. */
export type FleetProgram = { readonly name: string; readonly words: readonly string[] };

/** Returns where the simulated loggers reach the portal. */
export const portalAddress = ({ HOST, PORT }: Config): string =>
  `http://${HOST === '0.0.0.0' ? '127.0.0.1' : HOST}:${PORT}`;

/** @throws DemoRefusal when a program already answers there */
export async function requireFreeAddress(address: string): Promise<void> {
  if (await fetch(address).catch(() => undefined))
    throw new DemoRefusal(`Something already answers at ${address}: stop it, or set PORT to another.`);
}

/**
 * Waits until the portal serves, or until the command stops.
 * @throws DemoRefusal after 60 s
 */
export async function untilServing(address: string, isStopping: () => boolean): Promise<void> {
  const deadline = Date.now() + STARTS_WITHIN_MS;
  while (Date.now() < deadline && !isStopping()) {
    const answer = await fetch(`${address}/api/health`).catch(() => undefined);
    if (answer?.ok) return;
    await wait(ASK_AGAIN_AFTER_MS);
  }
  if (!isStopping())
    throw new DemoRefusal(`The portal did not answer at ${address} within ${STARTS_WITHIN_MS / 1000} s.`);
}

/**
 * Adds what the demo's database lacks: organizations, users, machines and the keys of their loggers.
 * @returns the programs that upload live data and fill thirty days of history
 */
export async function seedFleet(config: Config): Promise<readonly FleetProgram[]> {
  const database = await openDatabase(config, pino({ level: 'silent' }));
  const secrets = await openSecrets(config.SECRETS_KEY, config.DATA_DIR);
  const loggers = await seedDemo(database.pool, secrets, configSettings(config), new Date());
  await addMachineFiles(database.pool);
  await announceHistory(database.pool);
  await database.close();
  const keyFile = join(config.DATA_DIR, 'logger-keys.json');
  await writeFile(keyFile, JSON.stringify({ bucket: config.UPLOAD_BUCKET, loggers }), { mode: 0o600 });
  const words = ['--portal', portalAddress(config), '--keys', keyFile];
  return [
    { name: 'fleet', words: ['src/simulator/main.ts', ...words] },
    { name: 'past', words: ['scripts/demo-history.ts', ...words] },
  ];
}

/** Returns the lines that name the portal's address and every account of the demo with its password. */
export function loginLines(address: string): string[] {
  const width = Math.max(...demoUsers.map(({ email }) => email.length));
  const cleanOf = new Map(demoOrganizations.map(({ name, clean }) => [name, clean]));
  return [
    `Werkstroom is open at ${address}`,
    '',
    ...demoUsers.map(
      ({ email, password, organization, role }) =>
        `  ${email.padEnd(width)}  ${password.padEnd(24)}  ${role}, ${cleanOf.get(organization)}`,
    ),
  ];
}
