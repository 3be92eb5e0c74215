import { readFile } from 'node:fs/promises';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { dutchDate } from '#shared/domain/nl.ts';
import { periodOf } from '#shared/domain/periods.ts';
import { plusDays } from '#shared/domain/reports/settings.ts';
import { type E2ePortal, expect, expectAccessible, PASSWORD, test } from './fixtures.ts';

const LAST_MONTH = () => periodOf('vorige-maand', amsterdamDay(Date.now()));

/** Makes a fleet with two machines that worked on a project on three days of last month, one of them with a gap in its readings. */
async function fleetThatWorked(portal: E2ePortal) {
  const fleet = await portal.fleet('manager');
  const { pool } = await portal.database();
  const first = await fleet.machine({ alias: 'Rups', capacities: [120] });
  const second = await fleet.machine({ alias: '=Krol', capacities: [90] });
  const { rows } = await pool.query<{ id: number; organization: number }>(
    `insert into project (organization_id, name, number, client, first_day)
     select id, 'Kade Zuid', '26-017', 'Gemeente Delft', '2020-01-01' from organization where name = $1
     returning id, organization_id as organization`,
    [fleet.organization.name],
  );
  const { id = 0, organization = 0 } = rows[0] ?? {};
  const { from } = LAST_MONTH();
  for (const [n, { serial }] of [first, second].entries())
    for (const day of [0, 1, 2])
      for (const project of [0, id])
        await pool.query(
          `insert into day_figures (stream_id, day, organization_id, project_id, count, running_ms, charging_ms, idle_ms, out_mj, in_mj,
             charged_mj, distance_mm, heard_ms, known_ms, window_ms, window_heard_ms, cable_ms, run_known_ms, run_out_mj, run_in_mj,
             carried_mm, unused_no_fix, unused_null_island, unused_jumps)
           select id, $2, $3, $4, 9, 18000000, 7200000, 600000, 162000000000, 0, 90000000000, 1200000, 1, 1, 28800000, $5, 0, 0, 0, 0, 0, 0, 0, 0
           from stream where serial = $1`,
          [
            serial,
            plusDays(from, day),
            organization,
            project,
            n === 1 && day === 2 ? 14_400_000 : 28_800_000,
          ],
        );
  return fleet;
}

for (const [tag, title, viewport] of [
  [[], 'goes from sign-in to a printed Inzet of last month (14.4h, 14.4f)', { width: 1280, height: 800 }],
  [
    ['@long'],
    'goes from sign-in to a printed Inzet of last month on a phone (14.4h)',
    { width: 390, height: 844 },
  ],
] as const)
  test(title, { tag: [...tag] }, async ({ page, portal }) => {
    await page.setViewportSize(viewport);
    const fleet = await fleetThatWorked(portal);
    const begun = Date.now();
    await page.goto('/signin');
    await page.getByLabel('E-mail').fill(fleet.email);
    await page.getByRole('textbox', { name: 'Wachtwoord' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page
      .getByRole('navigation', { name: 'Menu' })
      .getByRole('link', { name: 'Rapporten', exact: true })
      .click();
    await page.getByRole('link', { name: 'Inzet emissieloos materieel' }).click();
    const table = page.getByRole('region', { name: 'Tabel Inzet emissieloos materieel' });
    await expect(table.getByRole('row')).toHaveCount(4);
    expect(Date.now() - begun).toBeLessThan(60_000);

    const total = table.getByRole('row', { name: 'Totaal' });
    await expect(total).toContainText('6');
    await expect(total).toContainText('30:00');
    await expect(total).toContainText('91,6 onvolledig');
    const notes = page.getByRole('list', { name: 'Bij dit rapport' });
    const { from, to } = LAST_MONTH();
    await expect(notes).toContainText(`Periode: ${dutchDate(from)} tot en met ${dutchDate(to)}.`);
    await expect(notes).toContainText('CO2 is leeg: er is geen CO2-factor ingesteld.');
    await expect(notes).toContainText('De cijfers zijn onvolledig.');
    await expectAccessible(page, 'Inzet');

    const pdf = await page.pdf({ preferCSSPageSize: true });
    expect(pdf.length).toBeGreaterThan(10_000);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText('Handtekening')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Afdrukken' })).toBeHidden();
    await expect(page.getByRole('banner')).toBeHidden();
    await page.emulateMedia({ media: 'screen' });

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV', exact: true }).click();
    const csv = await readFile(await (await download).path(), 'utf8');
    expect(csv).toContain(`"Kade Zuid";"26-017";"Gemeente Delft";"'=Krol"`);

    await page.getByRole('combobox', { name: 'Periode' }).selectOption('Deze week');
    await expect(page).toHaveURL(/\?periode=deze-week$/);
    await expect(page.getByText('Niets in deze periode')).toBeVisible();
  });
