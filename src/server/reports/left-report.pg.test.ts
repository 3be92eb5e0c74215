import { request } from 'node:http';
import { expect, test } from 'vitest';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { openLog } from '#server/platform/log.ts';
import { testPortal } from '#server/test/portal.ts';

/** 10:00 in Amsterdam. */
const NOW = Date.UTC(2026, 10, 18, 9);

test('a report on the screen whose reader disconnects before it is read logs no error (14.3f)', async () => {
  const lines: string[] = [];
  const log = openLog('warn', [], { write: (line: string) => void lines.push(line) });
  const portal = await testPortal({}, () => NOW, log);
  try {
    const klant = await portal.organization('klant');
    await portal.user('b@klant.nl', klant, 'beheerder');
    const cookie = await portal.login('b@klant.nl');
    const streamId = await portal.machine(klant, { serial: 'L-1' });
    await storeTestReadings(portal.pool, streamId, [{ time: NOW - 60_000, signals: { Soc1: 50 } }]);
    const path = '/api/report/vervoer?from=2026-11-18&to=2026-11-18';
    const lock = await portal.pool.connect();
    try {
      await lock.query('begin');
      await lock.query('lock table machine in access exclusive mode');
      const left = request(portal.address + path, { headers: { cookie } });
      left.on('error', () => {});
      left.end();
      const isAsked = async () =>
        (
          await portal.pool.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%m.registration_number%'`,
          )
        ).rowCount;
      await expect.poll(isAsked).toBeGreaterThan(0);
      left.destroy();
      // Waits until the server has noticed that the client closed the connection.
      const connections = () =>
        new Promise((done) => portal.app.server.getConnections((_, count) => done(count)));
      await expect.poll(connections).toBe(0);
    } finally {
      await lock.query('rollback');
      lock.release();
    }
    expect((await portal.get(path, cookie)).statusCode).toBe(200);
  } finally {
    await portal.close();
  }
  expect(lines.filter((line) => line.includes('Unexpected error'))).toEqual([]);
});
