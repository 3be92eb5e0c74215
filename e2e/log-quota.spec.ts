import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { expect, signInByApi, test } from './fixtures.ts';

test('the page of a logger warns that its quota of log files is nearly used up (12.B2) @long', async ({
  page,
  portal,
}) => {
  const { email, organization, machine } = await portal.fleet('admin');
  const { serial, loggerSerial } = await machine();
  const { pool } = await portal.database();
  const today = amsterdamDay(Date.now());
  // Marks today's notification as sent, so that the portal sends none.
  await pool.query('update organization set log_quota_told_on = $2 where name = $1', [
    organization.name,
    today,
  ]);
  await pool.query(
    `update writer_key set log_day = $2, log_bytes = 1900 * 1024 * 1024
     where writer_id = (select id from writer where logger_serial = $1)`,
    [loggerSerial, today],
  );
  await signInByApi(page, email);
  await page.goto(`/machine/edit/${serial}`);
  const health = page.getByRole('region', { name: 'Toestand van de logger' });
  await expect(health).toContainText(
    `Logger ${loggerSerial} van ${organization.clean} stuurde vandaag 1,9 GiB van 2,0 GiB (93%) aan logbestanden.`,
  );
});
