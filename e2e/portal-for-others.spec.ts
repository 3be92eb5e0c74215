import { E2ePortal, expect, expectAccessible, PASSWORD, signInByApi, test } from './fixtures.ts';

/** A portal of another organization, without a mail server, https, a second factor or backups. */
const others = test.extend<{ lacking: E2ePortal }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures it depends on here.
  lacking: async ({}, use) => {
    const portal = await E2ePortal.start({ SMTP_URL: '', PUBLIC_URL: 'http://portaal.klant.nl' });
    await use(portal);
    await portal.close();
  },
  baseURL: ({ lacking }, use) => use(lacking.address),
});

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

others(
  'a person who invites on a portal without a mail server gets the link once (55.32) @long',
  async ({ page, lacking: portal, browser }) => {
    const { email: manager, organization } = await portal.fleet('manager');
    const email = `nieuw-${organization.name}@elders.nl`;
    await signInByApi(page, manager);
    await page.goto('/Users/');
    await page.getByRole('button', { name: 'Nodig iemand uit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Nodig iemand uit' });
    await dialog.getByLabel('E-mailadres').fill(email);
    await dialog.getByLabel('kijker').check();
    await page.keyboard.press('Enter');
    const handed = page.getByRole('dialog', { name: 'Geef de link door' });
    const link = new URL((await handed.getByText(/\/uitnodiging#/).textContent()) ?? '');
    expect(link.origin).toBe('http://portaal.klant.nl');
    await expect(page.locator('body')).not.toContainText('wordt verstuurd');
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await expectAccessible(page, `the link to hand over at ${size.width}`);
    }
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await handed.getByRole('button', { name: `Kopieer de link voor ${email}` }).click();
    await expect(handed.getByText('Gekopieerd.')).toBeAttached();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link.href);
    await handed.getByRole('button', { name: 'Klaar' }).click();

    const theirs = await (await browser.newContext({ baseURL: portal.address })).newPage();
    await theirs.goto(link.pathname + link.hash);
    await theirs.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
    await theirs.keyboard.press('Enter');
    await expect(theirs).toHaveURL('/');
  },
);

others(
  'a person who admits an applicant on a portal without a mail server gets the link, and no page promises a mail (55.60) @long',
  async ({ page, lacking: portal, browser }) => {
    const { email: manager, organization } = await portal.fleet('manager');
    const { pool } = await portal.database();
    await pool.query(`update organization set registration = 'approval' where name = $1`, [
      organization.name,
    ]);
    const email = `wacht-${organization.name}@elders.nl`;
    const theirs = await (await browser.newContext({ baseURL: portal.address })).newPage();
    await theirs.goto('/signin');
    await theirs.getByRole('tab', { name: 'Registreren' }).click();
    await theirs.getByLabel('E-mailadres').fill(email);
    await theirs.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
    await theirs.getByLabel('Herhaal wachtwoord').fill(PASSWORD);
    await theirs.getByLabel('Organisatiecode').fill(organization.code);
    await theirs.getByRole('button', { name: 'Registreren' }).click();
    await expect(theirs.getByText('Dit portaal verstuurt geen mail', { exact: false })).toBeVisible();

    await signInByApi(page, manager);
    await page.goto('/Users/');
    await page.getByRole('button', { name: `Laat toe: ${email}` }).click();
    const question = page.getByRole('dialog');
    await expect(question).toContainText('Je krijgt een link om door te geven');
    await question.getByRole('button', { name: 'Ja' }).click();
    const handed = page.getByRole('dialog', { name: 'Geef de link door' });
    const link = new URL((await handed.getByText(/\/bevestigen#/).textContent()) ?? '');
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await expectAccessible(page, `the link to confirm at ${size.width}`);
    }
    await handed.getByRole('button', { name: 'Klaar' }).click();
    await expect(page.getByText('niet bevestigd', { exact: false })).toBeVisible();
    await expect(page.getByRole('button', { name: `Link om te bevestigen voor ${email}` })).toBeVisible();
    await expectAccessible(page, 'users of a portal without a mail server');

    await signInByApi(theirs, email);
    await theirs.goto('/');
    await expect(theirs.getByText('Dit portaal verstuurt geen mail', { exact: false })).toBeVisible();
    await expect(theirs.getByRole('button', { name: 'Stuur de mail opnieuw' })).toHaveCount(0);
    await theirs.goto(link.pathname + link.hash);
    await theirs.getByRole('button', { name: 'Bevestig' }).click();
    await theirs.getByRole('link', { name: 'Naar het portaal' }).click();
    await expect(theirs.getByRole('button', { name: 'Menu' })).toBeVisible();
  },
);

others(
  'an administrator sees missing settings as tasks, and a replaced Host on every page (55.33, 55.34) @long',
  async ({ page, lacking: portal }) => {
    const { email, machine } = await portal.fleet('admin');
    const { serial } = await machine();
    await signInByApi(page, email);
    await page.goto('/machine/');
    const tasks = page.getByRole('group').filter({ hasText: 'Instellingen van het portaal: 4 taken' });
    await tasks.getByText('4 taken').click();
    const list = tasks.getByRole('list', { name: 'Instellingen van het portaal' }).getByRole('listitem');
    await expect(list.getByRole('heading')).toHaveText([
      'Geen mailserver',
      'Geen tweede stap bij het inloggen',
      'Geen https',
      'Geen back-ups',
    ]);
    await expectAccessible(page, 'the tasks of the portal');

    const { pool } = await portal.database();
    await pool.query(
      `update writer_health h set refusal = 'WrongHost binnen:3000: WS_SN1/snapshot.json', refused_at = now(), last_seen_at = null
       from writer w join stream s on s.id = w.stream_id where w.id = h.writer_id and s.serial = $1`,
      [serial],
    );
    const bar = page.getByRole('status').filter({ hasText: 'Loggers worden geweigerd' });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const path of ['/', '/overzicht', '/account/']) {
        await page.goto(path);
        await expect(bar).toContainText('geeft Host binnen:3000 door, PUBLIC_URL zegt portaal.klant.nl.');
      }
      await expectAccessible(page, `the bar of a replaced Host at ${size.width}`);
    }
  },
);
