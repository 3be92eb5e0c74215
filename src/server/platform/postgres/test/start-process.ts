import { type EmbeddedOptions, startEmbedded } from '#server/platform/postgres/embedded.ts';

/**
 * Runs startEmbedded in a process of its own, for tests that kill it. Arguments: the data folder, and further options as JSON.
 * Prints a line of JSON for each event; SIGTERM stops it cleanly.
 */
const [dataDir = '', more = '{}'] = process.argv.slice(2);
const say = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`);

try {
  const options: Partial<EmbeddedOptions> = JSON.parse(more);
  const database = await startEmbedded({ ...options, dataDir, log: (log) => say({ log }) });
  say({ owner: database.owner, connection: database.connection });
  const alive = setInterval(() => {}, 60_000);
  process.once('SIGTERM', async () => {
    await database.stop();
    clearInterval(alive);
  });
} catch (error) {
  const { name, message } = error as Error;
  say({ failed: name, message });
  process.exitCode = 1;
}
