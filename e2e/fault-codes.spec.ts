import {
  COOLANT_CODE_DM1,
  dm1Line,
  J1939_DBC,
  NO_CODE_DM1,
  OIL_CODE_DM1,
  speedLine,
} from '#server/telemetry/dm1/test/dm1-logs.ts';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import { uploadDbc } from './upload-dbc.ts';

test('fault codes of a J1939 log file are shown on the machine’s page, in its day and in the overview (42.53) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('admin');
  const [{ serial, put, report }, plain] = [await machine(), await machine()];
  await signInByApi(page, email);
  await uploadDbc(page, serial, J1939_DBC);
  const chosen = await page.request.post('/api/machine/dbc/j1939', {
    data: { serial, bus: 0, j1939: 'all' },
    headers: SCRIPT_HEADERS,
  });
  expect(chosen.status(), await chosen.text()).toBe(200);
  const t = Math.ceil(Date.now() / 1000);
  // One code stays active, another one is raised and cleared 25 times.
  const comesAndGoes = Array.from(
    { length: 25 },
    (_, n) => dm1Line(t + 2 * n, COOLANT_CODE_DM1, '03') + dm1Line(t + 2 * n + 1, NO_CODE_DM1, '03'),
  );
  await put(
    '1/a.log',
    dm1Line(t, OIL_CODE_DM1) + dm1Line(t + 50, OIL_CODE_DM1) + speedLine(t + 50) + comesAndGoes.join(''),
  );
  await report({ GMT_UNIX: t, Soc1: 80 });
  await page.goto(`/machine/${serial}`);
  const card = page.getByRole('region', { name: 'Storingen' });
  // Panels far down are loaded when the page is scrolled to them.
  const near = (place = card) =>
    expect(async () => {
      await page.mouse.wheel(0, 3_000);
      await expect(place).toBeVisible({ timeout: 500 });
    }).toPass();
  await near();
  const first = card.getByRole('listitem').first();
  await expect(first).toContainText('SPN 100, FMI 1');
  await expect(first).toContainText('waarde veel te laag (ernstig)');
  await expect(first).toContainText('Stoplamp (rood)');
  await expect(first).toContainText('Actief sinds');
  await expect(first).toContainText('ECU 0x21 op can0; 3 keer opgetreden volgens de ECU');
  await expect(card.getByRole('listitem')).toHaveCount(20);
  await expectAccessible(page, 'faults');
  await card.scrollIntoViewIfNeeded();
  await card.getByRole('button', { name: 'Toon meer storingen' }).click();
  await expect(card.getByRole('listitem')).toHaveCount(26);
  await page.setViewportSize({ width: 390, height: 844 });
  await card.scrollIntoViewIfNeeded();
  await page.setViewportSize({ width: 1280, height: 800 });
  const day = page.getByRole('list', { name: 'Storingen in deze periode' });
  await expect(day).toContainText('Storing: SPN 100, FMI 1');
  await day.scrollIntoViewIfNeeded();

  await card.getByRole('link', { name: 'Rapport' }).click();
  await expect(page.getByRole('heading', { name: 'Storingen', level: 1 })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Stoplamp (rood)' })).toBeVisible();

  await page.goto('/overzicht');
  const lamp = page.getByText('stoplamp: storing SPN 100, FMI 1');
  await expect(lamp).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(lamp).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });

  // A machine without DM1 shows no fault codes.
  await page.goto(`/machine/${plain.serial}`);
  await near(page.getByRole('region', { name: 'Onderhoud' }));
  await expect(card).toHaveCount(0);
});
