import { expect, expectAccessible, signIn, signInByApi, test } from './fixtures.ts';

const WORDS = [
  /Download het van influxtechnology\.com/,
  /sluit de logger met de USB-kabel aan/,
  /Device.*Reflash.*zip-bestand met de firmware/,
  /serienummer van de logger.*Influx serienummer/,
  /hulpstukken.*Importeer/,
  /Maak Machine.*config\.xml is gedownload/,
  /Internal Storage.*Format SD.*Yes.*Set Time.*Synchronize with PC/,
  /config\.xml.*Run.*Config Menu.*Run.*Run Config Using External File.*Browse.*Open/,
  /configuration uploaded successfully/,
];

test('the setup guide has nine numbered steps, each with a described picture (MEDIT-13)', async ({
  page,
  portal,
}) => {
  const { email } = await portal.fleet('admin');
  await signInByApi(page, email);
  await page.goto('/machine/nieuw');
  await page.getByRole('link', { name: 'Handleiding' }).click();
  await expect(page).toHaveURL('/machine/handleiding');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Handleiding');
  const steps = page.locator('ol > li').filter({ has: page.getByRole('img') });
  await expect(steps).toHaveCount(WORDS.length);
  for (const [at, words] of WORDS.entries()) {
    const step = steps.nth(at);
    await expect(step.getByRole('heading')).toContainText(String(at + 1));
    expect((await step.textContent())?.replace(/\s+/g, ' '), `step ${at + 1}`).toMatch(words);
    const alt = await step.getByRole('img').getAttribute('aria-label');
    expect(alt?.length, `picture ${at + 1}`).toBeGreaterThan(40);
    const picture = (await step.locator('svg').boundingBox())!;
    expect(picture.width, `picture ${at + 1}`).toBeGreaterThan(200);
    // All texts lie inside the picture.
    const outside = await step.locator('svg').evaluate((svg) => {
      const edge = svg.getBoundingClientRect();
      return [...svg.querySelectorAll('text')].filter((text) => {
        const box = text.getBoundingClientRect();
        return box.left < edge.left || box.right > edge.right || box.bottom > edge.bottom;
      }).length;
    });
    expect(outside, `picture ${at + 1}`).toBe(0);
  }
  await expect(page.getByRole('region', { name: 'Anders dan gewoonlijk' })).toContainText(
    /verkeerde teken.*Herstel met factor -1.*zonder metingen.*Decodeer opnieuw/,
  );
  // 43.11: a CANedge has its own steps.
  const canedge = page.getByRole('region', { name: 'Met een CANedge' });
  await expect(canedge.getByRole('listitem')).toHaveCount(7);
  await expect(canedge).toContainText('File split time period');
  await page.getByRole('link', { name: 'Naar Maak Een Nieuwe Machine' }).click();
  await expect(page).toHaveURL('/machine/nieuw');
});

test('a user without the right to make machines reads the setup guide without a link to the form, and prints only the guide, black on white (MEDIT-13) @long', async ({
  page,
  portal,
}) => {
  const { email } = await portal.fleet();
  await signIn(page, email);
  await page.goto('/machine/handleiding');
  await expect(page.getByRole('img')).toHaveCount(9);
  await expect(page.getByRole('link', { name: 'Naar Maak Een Nieuwe Machine' })).toHaveCount(0);
  await expectAccessible(page, 'guide');
  await page.emulateMedia({ colorScheme: 'dark' });
  const print = page.getByRole('button', { name: 'Afdrukken' });
  await expect(print).toBeVisible();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(print).toBeHidden();
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('link', { name: 'Terug' })).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(0, 0, 0)');
});
