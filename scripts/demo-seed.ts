import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '#server/config.ts';
import { addMachineFiles } from '#server/demo/machine-files.ts';
import { seedDemo } from '#server/demo/seed.ts';
import { openDatabase } from '#server/open-database.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { configSettings } from '#server/writers/configuration-settings.ts';
import { type FleetScript, portalAddress } from './demo-fleet.ts';
import { announceHistory } from './history-report.ts';

/**
 * Adds to the demo's database the organizations, users, machines and logger keys that are missing. Then sends its parent
 * process (demo-fleet.ts) the commands of two programs: one uploads live data, the other fills thirty days of history.
 */
const config = readConfig(process.env);
const database = await openDatabase(config, pino({ level: 'silent' }));
const secrets = await openSecrets(config.SECRETS_KEY, config.DATA_DIR);
const loggers = await seedDemo(database.pool, secrets, configSettings(config), new Date());
await addMachineFiles(database.pool);
await announceHistory(database.pool);
await database.close();
const keyFile = join(config.DATA_DIR, 'logger-keys.json');
await writeFile(keyFile, JSON.stringify({ bucket: config.UPLOAD_BUCKET, loggers }), { mode: 0o600 });
const words = ['--portal', portalAddress(config), '--keys', keyFile];
const programs: readonly FleetScript[] = [
  { name: 'fleet', words: ['src/simulator/main.ts', ...words] },
  { name: 'past', words: ['scripts/demo-history.ts', ...words] },
];
process.send?.(programs);
process.disconnect?.();
