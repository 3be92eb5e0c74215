/**
 * A portal of its own that looks and tells when its parent says so, by its parent's clock, until it is killed or let go:
 * `portal-process.ts CONNECTION SETTINGS`, both JSON.
 */
import { pino } from 'pino';
import { readConfig } from '#server/config.ts';
import { openPool } from '#server/platform/database.ts';
import { endPools, openPools } from '#server/platform/pools.ts';
import { secretsWith } from '#server/platform/secrets.ts';
import { learnShards } from '#server/platform/shards.ts';
import { openPortal } from '#server/portal.ts';

/** What it is told; it answers each with why it failed, if it did. The time is ms. */
export type Round = { readonly now: number; readonly looksAtReadings: boolean };

const [connection, settings] = process.argv.slice(2).map((argument) => JSON.parse(argument));
const clock = { now: Number(settings.NOW) };
const pages = openPool(connection, () => {});
await learnShards(pages);
const pools = openPools({ pages, owner: pages }, connection, () => {});
const secrets = secretsWith(settings.SECRETS_KEY);
const log = pino({ level: 'silent' });
const portal = await openPortal(readConfig(settings), pools, connection, secrets, log, () => clock.now);
const { alerts } = portal;
// By itself it does nothing but send what it is to send.
await alerts.close();

process.on('message', async ({ now, looksAtReadings }: Round) => {
  clock.now = now;
  const looks = await Promise.allSettled([looksAtReadings && alerts.lookAtReadings(), alerts.lookAtClock()]);
  const told = await Promise.allSettled([alerts.tell()]);
  const failed = [...looks, ...told].flatMap((one) => (one.status === 'rejected' ? [`${one.reason}`] : []));
  process.send?.(failed);
});
process.on('disconnect', async () => {
  await portal.close();
  await endPools(pools);
  await pages.end();
});
process.send?.([]);
