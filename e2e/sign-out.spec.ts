import type { Page } from '@playwright/test';
import { expect, signIn, signInByApi, test } from './fixtures.ts';

/** Returns the cache modes of fetch() with which a page gets the file, because a response does not tell whether it is from the cache. */
async function readable(page: Page, address: string): Promise<string[]> {
  return page.evaluate(async (path) => {
    const ways = ['default', 'force-cache', 'only-if-cached'] as const;
    const got: string[] = [];
    for (const cache of ways) {
      const answer = await fetch(path, { cache, mode: 'same-origin' }).catch(() => undefined);
      if (answer?.ok && (await answer.arrayBuffer()).byteLength > 0) got.push(cache);
    }
    return got;
  }, address);
}

/** Uploads a photo and a manual as an administrator. @returns their addresses */
async function filesOf(page: Page, serial: string): Promise<{ photo: string; manual: string }> {
  return page.evaluate(async (serial) => {
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(await answer.text());
      return ((await answer.json()) as { url: string }).url;
    };
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 300;
    canvas.getContext('2d')?.fillRect(10, 10, 200, 200);
    const pdf =
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';
    return {
      photo: await post('/api/img/upload', { serial, name: 'foto.png', file: canvas.toDataURL('image/png') }),
      manual: await post('/api/manual/upload', {
        serial,
        name: 'handleiding.pdf',
        file: `data:application/pdf;base64,${btoa(pdf)}`,
      }),
    };
  }, serial);
}

for (const how of ['by the button', 'where the browser does not heed Clear-Site-Data']) {
  test(`no photo or manual is readable after a sign-out ${how}, by the cache or by Back (13.10h) @long`, async ({
    page,
    portal,
    browser,
    context,
    expectConsole,
  }) => {
    // Failed requests appear in the console.
    expectConsole(/401|404|504|only-if-cached|ERR_/);
    const { email, machine } = await portal.fleet();
    const { serial } = await machine();
    const admin = await browser.newContext({ baseURL: portal.address });
    const office = await admin.newPage();
    await signIn(office, (await portal.fleet('admin')).email);
    const { photo, manual } = await filesOf(office, serial);
    await admin.close();

    await signIn(page, email);
    await page.goto(`/machine/${serial}`);
    await expect(page.locator(`img[src="${photo}"]`)).toBeVisible();
    // The browser keeps a photo in its cache (and revalidates it), but not a manual.
    expect(await readable(page, photo)).toEqual(['default', 'force-cache', 'only-if-cached']);
    expect(await readable(page, manual)).toEqual(['default', 'force-cache']);
    const tab = await context.newPage();
    await tab.goto(photo);
    await expect(tab.locator(`img[src$="${photo.split('/').at(-1)}"]`)).toBeVisible();
    await tab.goto('/machine/');

    if (how === 'by the button') {
      const answer = page.waitForResponse('**/api/auth/logout');
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('button', { name: 'Logout' }).click();
      expect(await (await answer).headerValue('clear-site-data')).toBe('"cache", "storage"');
    } else {
      // Signs out by a call outside the page, so that the browser does not process the header Clear-Site-Data.
      const left = await page.request.post('/api/auth/logout', { headers: { 'x-requested-with': 'fetch' } });
      expect(left.status()).toBe(200);
    }
    await page.goto('/signin');
    expect([await readable(page, photo), await readable(page, manual)]).toEqual([[], []]);
    await tab.goBack();
    await expect(tab.locator('img')).toHaveCount(0);
    await expect(tab.locator('body')).toContainText('Log eerst in.');
    const names = (await context.cookies()).map(({ name }) => name);
    expect(names).toEqual(['werkstroom-device']);

    // A person of another organization who signs in next cannot read these files either.
    await signInByApi(page, (await portal.fleet()).email);
    expect([await readable(page, photo), await readable(page, manual)]).toEqual([[], []]);
  });
}
