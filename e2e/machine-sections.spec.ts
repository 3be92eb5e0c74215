/** The sections of the machine page: their list at the side on a desktop, and headings that open on a phone. */
import type { Page } from '@playwright/test';
import { type E2ePortal, expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import {
  createUserWithMachine,
  expectPageFitsScreen,
  MACHINE_POSITION,
  openMachine,
  openSections,
  panelRegion,
  sectionButton,
  uploadPastReadings,
} from './one-machine.ts';
import { unreadableElements } from './readable.ts';

const PHONE = { width: 390, height: 844 };
/** Largest allowed height of the page on a phone, in px: four screens. */
const FOUR_SCREENS = 4 * PHONE.height;
const SESSIONS = 23;

/** Makes a machine with long names, three packs, maintenance that is due, accessories, and many charging sessions. */
async function busyMachine(portal: E2ePortal) {
  const it = await createUserWithMachine(portal, {
    alias: 'Mobiele graafmachine met rototilt en graafbak 24',
    brand: 'Volta',
    model: 'ECR25 Electric met lange giek en dozerblad',
    capacities: [90, 90, 90],
  });
  await uploadPastReadings(it, { from: 600, to: 0, step: 60 }, (n) => ({
    ...MACHINE_POSITION,
    LATITUDE: MACHINE_POSITION.LATITUDE + n / 1_000,
    Soc1: 60 + n,
    Soc2: 40,
    Soc3: 97,
    MotorSpeed: 900,
    BatteryCurrent: 20,
    BatteryVoltage: 400,
  }));
  const { pool } = await portal.database();
  const { rows } = await pool.query<{ id: number }>('select id from stream where serial = $1', [it.serial]);
  const streamId = rows[0]?.id;
  await pool.query(
    `insert into maintenance_plan (stream_id, organization_id, name, every_months, last_hours, last_day)
     select $1, id, 'Grote beurt met filters en hydrauliekolie', 12, 0, '2020-02-01' from organization where name = $2`,
    [streamId, it.organization.name],
  );
  await pool.query(
    `insert into charging_session (stream_id, from_time, to_time, charging_ms, full_ms, charged_mj, highest_watts, soc_from, soc_to, ended)
     select $1, now() - n * interval '1 day', now() - n * interval '1 day' + interval '2 hours', 7200000, 0, 72000000000, 11000,
       '{40,40,40}', '{80,80,80}', 'losgekoppeld' from generate_series(2, $2) as n`,
    [streamId, SESSIONS + 1],
  );
  return it;
}

const contents = (page: Page) => page.getByRole('navigation', { name: 'Inhoud' });
const isOnScreen = (page: Page, id: string) =>
  page.evaluate((one) => {
    const { top } = document.getElementById(one)!.getBoundingClientRect();
    return top >= 0 && top < innerHeight;
  }, id);

test('the machine page is at most four screens high on a phone, and headings, links and a search open closed sections (53.25) @long', async ({
  page,
  portal,
}) => {
  const { email, serial } = await busyMachine(portal);
  await page.setViewportSize(PHONE);
  await signInByApi(page, email);
  await openMachine(page, serial);
  await expect(sectionButton(page, 'Batterij Status')).toHaveAttribute('aria-expanded', 'true');
  await expect(sectionButton(page, 'Vandaag en gisteren')).toHaveAttribute('aria-expanded', 'true');
  // The heading of a closed section shows what needs attention.
  await expect(sectionButton(page, 'Onderhoud')).toHaveAccessibleName(
    /^Onderhoud\s*Nu nodig, [\d.]+ dagen over tijd: Grote beurt met filters en hydrauliekolie$/,
  );
  await expect(sectionButton(page, 'Laadbeurten')).toHaveAttribute('aria-expanded', 'false');
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(FOUR_SCREENS);
  await expect(contents(page)).toBeHidden();
  await expectAccessible(page, 'closed sections');

  await sectionButton(page, 'Onderhoud').press('Enter');
  await expect(sectionButton(page, 'Onderhoud')).toBeFocused();
  await expect(panelRegion(page, 'Onderhoud').getByRole('heading', { level: 3 })).toBeVisible();
  await sectionButton(page, 'Onderhoud').press('Enter');
  await expect(panelRegion(page, 'Onderhoud').getByRole('heading', { level: 3 })).toBeHidden();

  // A browser sends this event when a search in the page finds a text in a closed section.
  await sectionButton(page, 'Machine Info').scrollIntoViewIfNeeded();
  await page.evaluate(() =>
    document.querySelector('#info [hidden]')?.dispatchEvent(new Event('beforematch')),
  );
  await expect(sectionButton(page, 'Machine Info')).toHaveAttribute('aria-expanded', 'true');

  await openMachine(page, serial, '#laadbeurten');
  await expect(sectionButton(page, 'Laadbeurten')).toHaveAttribute('aria-expanded', 'true');
  await expect(sectionButton(page, 'Laadbeurten')).toBeFocused();
  await expect.poll(() => isOnScreen(page, 'laadbeurten')).toBe(true);
  await openMachine(page, serial, '?route=on');
  await expect(sectionButton(page, 'GPS Tracking')).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByRole('slider', { name: 'Punt op de route' })).toBeVisible();

  // With every section open, nothing is cut or wider than the screen.
  await openSections(page);
  await expect.poll(() => unreadableElements(page)).toEqual([]);
  await expectPageFitsScreen(page);
  await expectAccessible(page, 'open sections');
});

test('a page that is printed on a phone shows every section (53.25) @long', async ({ page, portal }) => {
  const { email, serial } = await busyMachine(portal);
  await page.setViewportSize(PHONE);
  await signInByApi(page, email);
  await openMachine(page, serial);
  await expect(sectionButton(page, 'GPS Tracking')).toHaveAttribute('aria-expanded', 'false');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  await expect(panelRegion(page, 'Machine Info').getByText('Draaiuren')).toBeVisible();
  await expect(panelRegion(page, 'GPS Tracking').getByText('Last Updated')).toBeVisible();
});

test('the sections are links at the side of a desktop page, and the visible one is marked (53.25) @long', async ({
  page,
  portal,
}) => {
  const { email } = await busyMachine(portal);
  await page.setViewportSize({ width: 1280, height: 800 });
  await signInByApi(page, email);
  await page.goto('/overzicht');
  await page
    .getByRole('link', { name: /^Mobiele graafmachine/ })
    .first()
    .click();
  const links = contents(page).getByRole('link');
  await expect(links).toHaveText([
    'Batterij Status',
    'Laad Status',
    'Vandaag en gisteren',
    /^OnderhoudNu nodig/,
    'Machine Info',
    'Verloop',
    'GPS Tracking',
    'Dagen',
    'Laadbeurten',
  ]);
  const current = contents(page).locator('[aria-current="location"]');
  await expect(current).toHaveText('Batterij Status');
  await expectAccessible(page, 'contents');
  await links.filter({ hasText: 'Laadbeurten' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#laadbeurten$/);
  await expect(current).toHaveText('Laadbeurten');
  await expect(panelRegion(page, 'Laadbeurten').getByRole('table')).toBeVisible();
  await expect.poll(() => isOnScreen(page, 'laadbeurten')).toBe(true);
  await expect(panelRegion(page, 'Laadbeurten').getByRole('heading', { level: 2 })).toBeFocused();
  await expect(contents(page)).toBeInViewport();
  // Two sections are beside each other, and the one that was chosen is marked.
  await links.filter({ hasText: 'Laad Status' }).click();
  await expect(current).toHaveText('Laad Status');
  await page.mouse.wheel(0, 20_000);
  await expect(current).toHaveText('Laadbeurten');
  // The links add no entries to the browser's history.
  await page.getByRole('link', { name: 'Terug' }).click();
  await expect(page).toHaveURL(/\/overzicht$/);
});

test('the table of charging sessions shows ten rows, then more (53.25) @long', async ({ page, portal }) => {
  const { email, serial } = await busyMachine(portal);
  await signInByApi(page, email);
  await openMachine(page, serial, '#laadbeurten');
  const sessions = panelRegion(page, 'Laadbeurten');
  const rows = sessions.getByRole('button', { name: /\d\d-\d\d-\d\d/ });
  await expect(rows).toHaveCount(10);
  await expect(sessions).toContainText(`Dit zijn de nieuwste 10 van ${SESSIONS} laadbeurten.`);
  await sessions.getByRole('button', { name: 'Toon meer' }).click();
  await expect(rows).toHaveCount(SESSIONS);
  await expect(sessions.getByRole('button', { name: 'Toon meer' })).toHaveCount(0);
  await expect(sessions).not.toContainText('Dit zijn de nieuwste');
});
