import { expect, expectAccessible, test } from './fixtures.ts';

/** Calls that together contain every part of the documentation of a call. axe needs a minute for all calls. */
const OPENED = ['get-live', 'post-manual-upload', 'get-img-serial-hash', 'get-organization-create'];

test('the page of the API has no accessibility violation (API-01, APP-05) @long', async ({ page }) => {
  await page.goto('/api/docs');
  await expect(page.getByRole('heading', { level: 1, name: 'API' })).toBeVisible();
  for (const id of OPENED) {
    await page
      .locator('details', { has: page.locator(`#${id}`) })
      .locator('summary')
      .click();
    await expect(page.locator(`#${id}`)).toBeVisible();
  }
  await expectAccessible(page, '/api/docs');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});

test('a call on the page of the API opens by keyboard (API-01) @long', async ({ page }) => {
  await page.goto('/api/docs');
  await page.getByRole('link', { name: /^Live/ }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Wie is ingelogd').first()).toBeVisible();
  await expect(page.getByText('liveData', { exact: true })).toBeVisible();
});

test("an address with a call's anchor opens that call (API-01) @long", async ({ page }) => {
  await page.goto('/api/docs#post-manual-upload');
  await expect(page.locator('#post-manual-upload')).toBeVisible();
  await expect(page.locator('#post-manual-upload')).toContainText('mag ontbreken');
});
