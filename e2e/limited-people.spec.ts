import type { Page } from '@playwright/test';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { expect, expectAccessible, PASSWORD, signInByApi, test, waitForMailedLink } from './fixtures.ts';

const card = (page: Page, list: string, email: string) =>
  page.getByRole('list', { name: list, exact: true }).getByRole('listitem').filter({ hasText: email });

test('a person invited for one project sees only its machines, until the access restriction ends (53.21) @long', async ({
  page,
  portal,
  browser,
  expectConsole,
}) => {
  // The browser logs the refusal of an invitation without a project (400), and the end of the invited person's session (401).
  expectConsole(/status of 40[01]/);
  const { email: manager, organization, machine } = await portal.fleet('manager');
  const [one, other] = [await machine(), await machine()];
  for (const { report } of [one, other]) await report({ LATITUDE: 52.1, LONGITUDE: 5.3, Soc1: 80 });
  const email = `uitvoerder-${organization.name}@elders.nl`;
  await signInByApi(page, manager);
  const post = async (path: string, data: object) =>
    (await page.request.post(path, { data, headers: SCRIPT_HEADERS })).json();
  const { _id } = await post('/api/project/create', {
    projectName: 'Sluis',
    firstDay: '2026-01-01',
    lastDay: null,
    areas: [],
  });
  await post('/api/project/assign', { _id, serial: one.serial, from: '2026-02-01T00:00:00Z', until: null });

  await page.goto('/Users/');
  await page.getByRole('button', { name: 'Nodig iemand uit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nodig iemand uit' });
  await dialog.getByLabel('E-mailadres').fill(email);
  await dialog.getByLabel('beheerder').check();
  await expect(dialog.getByLabel('Ziet alleen machines van projecten of labels')).toHaveCount(0);
  await dialog.getByLabel('gebruiker').check();
  await expect(dialog.getByLabel('Alleen vandaag')).toHaveCount(0);
  await dialog.getByLabel('kijker').check();
  await expect(dialog.getByLabel('Alleen vandaag')).toBeVisible();
  await dialog.getByLabel('Ziet alleen machines van projecten of labels').check();
  await dialog.getByRole('button', { name: 'Nodig uit' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Kies een project of een label.');
  await dialog.getByRole('button', { name: /^Beperkt tot projecten/ }).click();
  await dialog.getByRole('checkbox', { name: 'Sluis' }).check();
  await expectAccessible(page, 'Nodig iemand uit, beperkt');
  await dialog.getByRole('button', { name: 'Nodig uit' }).click();
  await expect(card(page, 'Uitnodigingen', email)).toContainText('kijker · beperkt tot project ‘Sluis’');

  const theirs = await (await browser.newContext({ baseURL: portal.address })).newPage();
  await theirs.goto(await waitForMailedLink(portal, email, 'uitnodiging'));
  await theirs.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
  await theirs.keyboard.press('Enter');
  await expect(theirs).toHaveURL('/');
  const note = theirs.getByText('Je ziet alleen machines van project ‘Sluis’.');
  await expect(note).toBeVisible();
  await expect(theirs.getByRole('button', { name: new RegExp(`^${one.alias}, `) })).toBeVisible();
  await theirs.goto('/machine/');
  await expect(theirs.getByRole('link', { name: new RegExp(one.alias) }).first()).toBeVisible();
  await expect(theirs.getByText(other.alias)).toHaveCount(0);
  await theirs.goto(`/machine/${one.serial}`);
  await expect(note).toBeVisible();
  await expect(theirs.getByRole('heading', { name: 'Machine Info' })).toBeVisible();
  await expect(theirs.getByText('Draaiuren', { exact: true }).first()).toBeVisible();
  await expect(theirs.getByText(/niet geladen|hoort niet bij/)).toHaveCount(0);
  await expectAccessible(theirs, 'the page of a machine, limited');
  await theirs.goto(`/machine/${other.serial}`);
  await expect(theirs.getByText(`Er is geen machine met serienummer ${other.serial}`)).toBeVisible();

  await page.reload();
  await expect(card(page, 'Gebruikers', email)).toContainText('kijker · beperkt tot project ‘Sluis’');
  await page.getByRole('button', { name: `Beperking van ${email}` }).click();
  const limiting = page.getByRole('dialog', { name: 'Beperk wat iemand ziet' });
  await limiting.getByLabel('Ziet alleen machines van projecten of labels').uncheck();
  await limiting.getByLabel('Alleen vandaag').check();
  await expectAccessible(page, 'Beperk wat iemand ziet');
  await limiting.getByRole('button', { name: 'Bewaar' }).click();
  await expect(page.getByRole('status').filter({ hasText: `${email} is nu beperkt.` })).toBeVisible();
  await expect(card(page, 'Gebruikers', email)).toContainText('kijker · alleen vandaag');
  await expect(theirs).toHaveURL('/signin', { timeout: 30_000 });
  await signInByApi(theirs, email);
  await theirs.goto('/machine/');
  await expect(theirs.getByText('Je ziet alleen de dag van vandaag.')).toBeVisible();
  await expect(theirs.getByRole('link', { name: new RegExp(other.alias) }).first()).toBeVisible();
  await theirs.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(
    theirs.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Projecten' }),
  ).toBeVisible();
  await expect(theirs.getByRole('link', { name: 'Rapporten' })).toHaveCount(0);
  await theirs.context().close();
});
