/** One machine is taken off a project, and the hours of ten machines are all on the page (53). */
import type { Page } from '@playwright/test';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { expect, expectAccessible, type Machine, signInByApi, test } from './fixtures.ts';

const PLACE = { LATITUDE: 52.1, LONGITUDE: 5.3 };

/** Uploads three minutes of work at one place, until now. */
async function works({ report }: Machine): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  for (let ago = 180; ago >= 0; ago -= 30)
    await report({ ...PLACE, GMT_UNIX: now - ago, MotorSpeed: 900, BatteryVoltage: 400, BatteryCurrent: 50 });
}

/** Makes a project as the signed-in person. @returns its path */
async function newProject(page: Page, projectName: string): Promise<string> {
  const areas = [{ centre: { lat: PLACE.LATITUDE, lon: PLACE.LONGITUDE }, radiusMetres: 100 }];
  const data = { projectName, firstDay: '2026-01-01', lastDay: null, areas };
  const made = await page.request.post('/api/project/create', { data, headers: SCRIPT_HEADERS });
  return `/projecten/${(await made.json())._id}`;
}

test('a planner takes a machine off a project in four clicks after signing in, reads which hours move, and undoes it (53.17)', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('manager');
  const rups = await machine({ alias: 'Rups Kade' });
  await works(rups);
  await works(await machine({ alias: 'Aggregaat' }));
  await signInByApi(page, email);
  const itsPage = await newProject(page, 'Kade Noord');
  await page.goto(itsPage);
  const there = page.getByRole('list', { name: 'Nu op het project' });
  await expect(there.getByRole('listitem')).toHaveCount(2, { timeout: 20_000 });
  await expect(there.getByRole('listitem').first()).toContainText('Aggregaat');

  await page.goto(`/machine/${rups.serial}`);
  await page.getByRole('link', { name: 'Haal van project' }).click();
  const dialog = page.getByRole('dialog', { name: 'Haal van project' });
  const moves = dialog.getByRole('status', { name: 'Uren die verhuizen' });
  // Taking the machine off the project from tomorrow on moves no hours of today.
  await expect(moves).toContainText('Er verhuizen geen uren', { timeout: 20_000 });
  const [year, month, day] = amsterdamDay(Date.now()).split('-');
  await dialog.getByLabel('Vanaf').fill(`${day}-${month}-${year} 00:00`);
  await dialog.getByLabel('Vanaf').press('Tab');
  await expect(moves).toContainText(
    /gaan 00:0[0-3] draaiuren van Rups Kade van dit project af \(naar: geen project\)/,
    {
      timeout: 20_000,
    },
  );
  // Picking a day keeps the time of day, and the dialog shows which hours move for the new date and time.
  await dialog.getByLabel('Vanaf').click();
  await dialog.locator('button[data-selected]').click();
  await expect(dialog.getByLabel('Vanaf')).toHaveValue(/^\d\d-\d\d-\d{4} 00:00$/);
  await expect(moves).toContainText(/gaan 00:0[0-3] draaiuren/, { timeout: 20_000 });
  await expectAccessible(page, 'take a machine off a project');
  await dialog.getByRole('button', { name: 'Haal van project' }).click();
  await expect(page.getByText('Rups Kade: De machine is van het project gehaald.')).toBeInViewport();
  await expect(there).not.toContainText('Rups Kade', { timeout: 20_000 });
  await expect(there).toContainText('Aggregaat');

  const excepted = page.getByRole('list', { name: 'Uitgezonderd' });
  await expect(excepted).toContainText('Rups Kade');
  await excepted.getByRole('button', { name: 'Verwijder uitzondering van Rups Kade' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  await expect(there).toContainText('Rups Kade', { timeout: 20_000 });
});

test('begin and end of an assignment are changed on the page of the project (53.17)', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/400/); // the preview of an end before the begin
  const { email, machine } = await portal.fleet('manager');
  const rups = await machine({ alias: 'Rups Kade' });
  await works(rups);
  await signInByApi(page, email);
  const data = { projectName: 'Kade', firstDay: '2026-01-01', lastDay: null, areas: [] };
  const { _id } = await (
    await page.request.post('/api/project/create', { data, headers: SCRIPT_HEADERS })
  ).json();
  const body = { _id, serial: rups.serial, from: '2026-01-02T08:00:00Z', until: null };
  await page.request.post('/api/project/assign', { data: body, headers: SCRIPT_HEADERS });
  await page.goto(`/projecten/${_id}`);
  await page.getByRole('button', { name: 'Wijzig begin en eind van Rups Kade' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Tot').fill('01-01-2026 08:00');
  await dialog.getByLabel('Tot').blur();
  await expect(dialog.getByRole('status', { name: 'Uren die verhuizen' })).toContainText(
    'Tot ligt niet na Van.',
  );
  await dialog.getByLabel('Tot').fill('03-01-2026 08:00');
  await dialog.getByLabel('Tot').blur();
  await expect(dialog.getByRole('status', { name: 'Uren die verhuizen' })).toContainText(
    'van dit project af',
  );
  await dialog.getByRole('button', { name: 'Opslaan' }).click();
  await expect(page.getByRole('list', { name: 'Met de hand' })).toContainText(
    '02-01-26, 09:00 tot 03-01-26, 08:00',
  );
});

test('the table of hours lists all ten machines with long names, with links to their pages and the report, on a desktop and a phone (53.18)', async ({
  page,
  portal,
}) => {
  test.slow();
  const { email, machine } = await portal.fleet('manager');
  for (let n = 0; n < 10; n += 1)
    await works(await machine({ alias: `Rupsgraafmachine met verlengde giek nummer ${n}` }));
  await signInByApi(page, email);
  await page.goto(await newProject(page, 'Vernieuwing van de damwand langs de Kade Noord'));
  const table = page.getByRole('region', { name: 'Uren en energie', exact: true });
  await expect(table.getByRole('rowheader')).toHaveCount(11, { timeout: 30_000 });
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    const hidden = await table.evaluate((section) => [
      section.scrollHeight - section.clientHeight,
      section.scrollWidth - section.clientWidth,
      document.documentElement.scrollWidth - window.innerWidth,
    ]);
    expect(hidden).toEqual([0, 0, 0]);
  }
  await expectAccessible(page, 'hours of a project on a phone');
  for (const format of ['CSV', 'Excel']) {
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: format, exact: true }).click();
    expect((await download).suggestedFilename()).toMatch(/\.(csv|xlsx)$/);
  }
  await page.getByRole('link', { name: 'Toon in rapport Inzet' }).click();
  await expect(page).toHaveURL(/rapporten\/inzet\?van=.*&tot=.*&project=\d+/);
  await page.goBack();
  await table.getByRole('link', { name: 'Rupsgraafmachine met verlengde giek nummer 3' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /nummer 3/ })).toBeVisible();
});
