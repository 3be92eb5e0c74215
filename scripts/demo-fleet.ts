import { fork } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '#server/config.ts';
import { demoOrganizations, demoUsers } from '#shared/demo/organizations.ts';
import { DemoStartError } from './demo-folder.ts';

/** Shared by `npm run demo` and `npm run dev -- --demo`: the seed, the processes of the fleet and the printed logins. */

const STARTS_WITHIN_MS = 60_000;
const ASK_AGAIN_AFTER_MS = 100;

/** A script of the simulated fleet. `words`: the arguments of `node`. */
export type FleetScript = { readonly name: string; readonly words: readonly string[] };

/** Returns the URL at which the simulated loggers reach the portal. */
export const portalAddress = ({ HOST, PORT }: Config): string =>
  `http://${HOST === '0.0.0.0' ? '127.0.0.1' : HOST}:${PORT}`;

/** Checks that no program listens at the portal's address. @throws DemoStartError if one does */
export async function requireFreeAddress(address: string): Promise<void> {
  if (await fetch(address).catch(() => undefined))
    throw new DemoStartError(`Something already answers at ${address}: stop it, or set PORT to another.`);
}

/**
 * Waits until the portal serves, or until the command stops.
 * @throws DemoStartError after 60 s
 */
export async function waitUntilServing(address: string, isStopping: () => boolean): Promise<void> {
  const deadline = Date.now() + STARTS_WITHIN_MS;
  while (Date.now() < deadline && !isStopping()) {
    const answer = await fetch(`${address}/api/health`).catch(() => undefined);
    if (answer?.ok) return;
    await wait(ASK_AGAIN_AFTER_MS);
  }
  if (!isStopping())
    throw new DemoStartError(`The portal did not answer at ${address} within ${STARTS_WITHIN_MS / 1000} s.`);
}

/**
 * Seeds the demo's database in a separate process, which draws pictures and manuals of machines and frees its memory when it ends.
 * @param environment with the settings of the portal
 * @returns the programs that upload live data and fill thirty days of history
 * @throws DemoStartError if seeding fails; the output of the process says why
 */
export function seedFleet(environment: NodeJS.ProcessEnv): Promise<readonly FleetScript[]> {
  const seeding = fork(fileURLToPath(new URL('./demo-seed.ts', import.meta.url)), { env: environment });
  return new Promise((done, reject) => {
    seeding.once('message', (programs: readonly FleetScript[]) => done(programs));
    seeding.once('exit', (code) =>
      reject(new DemoStartError(`The example data could not be stored (${code}).`)),
    );
  });
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
