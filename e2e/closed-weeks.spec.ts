import { readFile } from 'node:fs/promises';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { closeWeeks } from '#server/telemetry/readings/close-weeks.ts';
import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';

/** A Monday; the week has long been over. */
const MONDAY = Date.UTC(2026, 5, 8);
const WEEK_MS = 7 * 86_400_000;

test('an administrator downloads a closed week of a machine as a Parquet file (45.6) @phone', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('admin');
  const { serial } = await machine();
  const { pool } = await portal.database();
  const { rows } = await pool.query<{ id: number }>('select id from stream where serial = $1', [serial]);
  const readings = Array.from({ length: 300 }, (_, n) => ({
    time: MONDAY + n * 60_000,
    signals: { MotorSpeed: n },
  }));
  await storeTestReadings(pool, rows[0]?.id as number, readings);
  for await (const _ of closeWeeks(pool, MONDAY + WEEK_MS));

  await signInByApi(page, email);
  await page.goto(`/machine/edit/${serial}`);
  const weeks = page.getByRole('region', { name: 'Afgesloten weken' });
  await expect(weeks.getByRole('listitem')).toHaveText([/^Week van 08-06-2026300 metingen, \d+ kB/]);
  await expectAccessible(page, 'closed weeks of a machine');
  const download = page.waitForEvent('download');
  await weeks.getByRole('link', { name: 'Download Week van 08-06-2026' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`metingen-${serial}-2026-06-08.parquet`);
  const bytes = await readFile(await file.path());
  expect([bytes.toString('latin1', 0, 4), bytes.toString('latin1', bytes.length - 4)]).toEqual([
    'PAR1',
    'PAR1',
  ]);
});
