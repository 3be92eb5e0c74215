/**
 * A portal process that evaluates and notifies when its parent asks, by its parent's clock, until it is killed or disconnected:
 * `portal-process.ts CONNECTION SETTINGS`, both JSON.
 */
import { pino } from 'pino';
import { readConfig } from '#server/config.ts';
import { openPool } from '#server/platform/database.ts';
import { endPools, openPools } from '#server/platform/pools.ts';
import { deriveSecrets } from '#server/platform/secrets.ts';
import { loadShards } from '#server/platform/shards.ts';
import { openPortal } from '#server/portal.ts';

/** The message from the parent; the process answers with the errors of the round. `now` is in ms. */
export type EvaluationRound = { readonly now: number; readonly evaluatesReadings: boolean };

const [connection, settings] = process.argv.slice(2).map((argument) => JSON.parse(argument));
const clock = { now: Number(settings.NOW) };
const pages = openPool(connection, () => {});
await loadShards(pages);
const pools = openPools({ pages, owner: pages }, connection, () => {});
const secrets = deriveSecrets(settings.SECRETS_KEY);
const log = pino({ level: 'silent' });
const portal = await openPortal(readConfig(settings), pools, connection, secrets, log, () => clock.now);
const { alerts } = portal;
// Stops the timers: between two rounds, the process only sends queued mails and webhooks.
await alerts.close();

process.on('message', async ({ now, evaluatesReadings }: EvaluationRound) => {
  clock.now = now;
  const evaluations = await Promise.allSettled([
    evaluatesReadings && alerts.evaluateReadings(),
    alerts.evaluateClock(),
  ]);
  const notified = await Promise.allSettled([alerts.notify()]);
  const failed = [...evaluations, ...notified].flatMap((one) =>
    one.status === 'rejected' ? [`${one.reason}`] : [],
  );
  process.send?.(failed);
});
process.on('disconnect', async () => {
  await portal.close();
  await endPools(pools);
  await pages.end();
});
process.send?.([]);
