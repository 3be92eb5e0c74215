import { NOT_DECODED_FINDING } from '#shared/domain/delivery-findings/delivery-findings.ts';
import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';

test('the page of a machine shows the status and the events of its logger (12.C6) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('admin');
  const { serial, loggerSerial, report } = await machine();
  const { pool } = await portal.database();
  const now = Math.floor(Date.now() / 1000);
  for (let n = 12; n > 0; n--) await report({ GMT_UNIX: now - 330 * n, MotorSpeed: 900 });
  await report({ GMT_UNIX: 5 });
  const writer = `(select id from writer where logger_serial = '${loggerSerial}')`;
  // The counters are updated once a second.
  await expect
    .poll(
      async () =>
        (await pool.query(`select from logger_event where writer_id = ${writer} and kind = 'error'`))
          .rowCount,
    )
    .toBe(1);
  await pool.query(`update writer set created_at = now() - interval '2 hours' where id = ${writer}`);
  const status = { firmware: '3.11', configName: 'eigen', freeSpaceMb: 1200, maxSpaceMb: 7600 };
  await pool.query(`update writer_health set status = $1, status_at = now() where writer_id = ${writer}`, [
    JSON.stringify({ ...status, rtcUnix: Math.floor(Date.now() / 1000) + 3_700 }),
  ]);
  await pool.query(
    `update writer_health set refusal = 'RequestTimeTooSkewed: rit.rxd', refused_at = now() where writer_id = ${writer}`,
  );
  await pool.query(
    `insert into object (logger_serial, key, size, etag, content_type, outcome, log_stored_at)
     values ($1, 'rit.rxd', 5, 'x', 'application/octet-stream', $2, now())`,
    [loggerSerial, JSON.stringify([NOT_DECODED_FINDING])],
  );
  await signInByApi(page, email);
  await page.goto(`/machine/edit/${serial}`);
  const health = page.getByRole('region', { name: 'Toestand van de logger' });
  for (const words of [
    /Laatst geweigerdvandaag, \d\d:\d\d: rit\.rxd: de klok van de logger loopt meer dan 15 minuten verkeerd\./,
    'Firmware3.11',
    'Vrije ruimte1.200 van 7.600 MB',
    'Klokloopt 1 uur voor',
    'Configuratieeigen',
    'Interval te lang voor draaiuren',
  ])
    await expect(health).toContainText(words);
  const events = page.getByRole('region', { name: 'Gebeurtenissen' });
  await events.getByText(/^Sinds de koppeling/).focus();
  await page.keyboard.press('Enter');
  for (const words of [
    `Logger ${loggerSerial} gekoppeld`,
    'Eerste upload',
    'Fout: ',
    'Geweigerd: de klok van de logger',
    'Bestand ontvangen dat het portaal niet leest: rit.rxd',
  ])
    await expect(events.getByRole('listitem').filter({ hasText: words })).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Logbestanden' }).getByRole('table')).toContainText(
    /rit\.rxdvan logger \d{7}, .*1 kB.*niet gedecodeerd/,
  );
  await expectAccessible(page, 'the events of a logger');
});

test('the list of machines and the page of a sold machine show an administrator that its logger needs a new key (41.2) @long', async ({
  page,
  portal,
}) => {
  const buyer = (await portal.fleet()).organization;
  const { email, machine } = await portal.fleet('admin');
  const { serial, alias, loggerSerial } = await machine();
  await signInByApi(page, email);
  await page.goto(`/machine/edit/${serial}`);
  await page.getByLabel('Organisatie', { exact: true }).selectOption({ label: buyer.clean });
  const sale = page.getByRole('dialog', { name: `Wil je ${alias} aan een andere organisatie geven` });
  await expect(sale).toContainText('maak binnen 30 dagen een nieuwe configuratie');
  await sale.getByRole('button', { name: 'Ja' }).click();
  await expect(
    page.getByRole('status').filter({ hasText: 'maak binnen 30 dagen een nieuwe configuratie' }),
  ).toBeVisible();
  await page.goto('/machine/');
  // The number may exceed 1, because other tests sell machines of the same portal.
  await page.getByText(/^Nieuwe sleutel nodig: \d+ verkochte machines?$/).click();
  const task = page
    .getByRole('list', { name: 'Nieuwe sleutel nodig' })
    .getByRole('listitem')
    .filter({ hasText: loggerSerial });
  await expect(task).toContainText(buyer.clean);
  await expectAccessible(page, 'loggers that need a new key');
  await task.getByRole('link', { name: alias }).click();
  await expect(page).toHaveURL(`/machine/edit/${serial}`);
  await expect(page.getByRole('region', { name: 'Configuratie van de logger' })).toContainText(
    'de vorige eigenaar kan de sleutel van de logger kennen',
  );
});

for (const [size, viewport] of [
  ['desktop', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
] as const)
  test(`the health of a logger shows that its GNSS clock is 1,024 weeks behind its own clock, on a ${size} (52.4) @long`, async ({
    page,
    portal,
  }) => {
    await page.setViewportSize(viewport);
    const { email, machine } = await portal.fleet('admin');
    const { serial, loggerSerial, report } = await machine();
    const { pool } = await portal.database();
    const now = Math.floor(Date.now() / 1000);
    for (let n = 3; n > 0; n--)
      await report({ GMT_UNIX: now - n - 1_024 * 7 * 86_400, RTC_UNIX: now - n, Soc1: 50 });
    const clockWarning = async () =>
      (
        await pool.query(
          `select last_error from writer_health h join writer w on w.id = h.writer_id where w.logger_serial = $1`,
          [loggerSerial],
        )
      ).rows[0]?.lastError?.[0];
    await expect.poll(clockWarning).toMatchObject({ kind: 'wrong-clock', clock: 'GMT_UNIX' });
    await signInByApi(page, email);
    await page.goto(`/machine/edit/${serial}`);
    const health = page.getByRole('region', { name: 'Toestand van de logger' });
    await expect(health).toContainText(
      'de klok GMT_UNIX loopt 1.024 weken achter op RTC_UNIX (het weeknummer van GPS is opnieuw begonnen)',
    );
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    expect(scrollWidth).toBe(clientWidth);
    await expectAccessible(page, `a logger with a wrong clock on a ${size}`);
  });
