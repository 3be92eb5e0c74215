import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPool } from '#server/platform/database.ts';
import { findShards } from '#server/platform/shards.ts';
import { testDatabase } from '#server/test/database.ts';
import { databaseUrlOf } from '#server/test/postgres.ts';
import { findFreePort, startPortal, untilHealthy } from '#server/test/running-portal.ts';
import { TABLES_LEFT_OUT } from './tables.ts';
import {
  createBackupTestFleet,
  fetchMachineResponses,
  SECRETS_KEY,
  signIn,
  tableDigests,
  uploadSnapshot,
} from './test/fleet-to-keep.ts';
import { runCommand } from './test/run.ts';

test('a backup of one database is restored with every row and figure into several shards, and their backup into one database (17.2, 17.3)', async () => {
  const fleet = await createBackupTestFleet();
  const folder = await mkdtemp(join(tmpdir(), 'werkstroom-shards-'));
  const [several, one] = [await testDatabase({ bare: true }), await testDatabase({ bare: true })];
  const leftOut = [...Object.keys(TABLES_LEFT_OUT), 'audit'];
  const seen = async ({ connection }: typeof several) => {
    const pool = openPool(connection, () => {});
    try {
      return { shards: await findShards(pool), contents: await tableDigests(pool, leftOut) };
    } finally {
      await pool.end();
    }
  };
  const settingsOf = (database: typeof several, shards: number) => ({
    DATABASE_URL: databaseUrlOf(database.connection),
    DATA_DIR: folder,
    SECRETS_KEY: SECRETS_KEY,
    CELLS: String(shards),
  });
  try {
    const { portal } = fleet;
    const before = await fetchMachineResponses(portal.address, await portal.login('a@klant.nl'));

    const [out, back] = [join(folder, 'out.backup'), join(folder, 'back.backup')];
    const from = {
      DATABASE_URL: databaseUrlOf(portal.connection),
      DATA_DIR: folder,
      SECRETS_KEY: SECRETS_KEY,
    };
    // The commands require that no other client is connected.
    const run = async (command: 'backup' | 'restore', file: string, settings: Record<string, string>) =>
      expect(await runCommand(command, file, settings)).toMatchObject({ code: 0, stderr: '' });
    await portal.stop();
    await portal.pool.end();
    await run('backup', out, from);
    await several.pool.end();
    await run('restore', out, settingsOf(several, 3));
    const spread = await seen(several);
    expect(spread.shards).toEqual(['telemetry_00', 'telemetry_01', 'telemetry_02']);

    await one.pool.end();
    await run('backup', back, settingsOf(several, 3));
    await run('restore', back, settingsOf(one, 1));
    expect(await seen(one)).toEqual({ ...spread, shards: ['public'] });

    const running = startPortal(folder, await findFreePort(), settingsOf(several, 3));
    try {
      await untilHealthy(running);
      expect(await fetchMachineResponses(running.address, await signIn(running.address))).toEqual(before);
      // The restored portal accepts uploads.
      const second = Math.floor(Date.now() / 1000);
      await uploadSnapshot(running.address, fleet.quiet, { GMT_UNIX: second, Soc1: 12 });
      const cookie = await signIn(running.address);
      const live = async () => (await fetch(`${running.address}/api/live`, { headers: { cookie } })).json();
      await expect.poll(live, { timeout: 10_000 }).toMatchObject({ 'Q-1': { liveData: { Soc1: 12 } } });
    } finally {
      await running.end('SIGTERM');
    }
  } finally {
    for (const database of [several, one]) await database.drop();
    await fleet.portal.close();
    await rm(folder, { recursive: true, force: true });
  }
}, 240_000);
