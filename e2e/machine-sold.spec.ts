import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';

test('a machine is sold by the button and by the list of organizations, after a dialog that counts what moves to the buyer (55.11) @long', async ({
  page,
  portal,
}) => {
  const seller = await portal.fleet('admin');
  const { organization: buyer } = await portal.fleet();
  const { serial, alias, report } = await seller.machine();
  await report({ Soc1: 80 });
  await signInByApi(page, seller.email);
  await page.goto(`/machine/edit/${serial}`);
  const dialog = page.getByRole('dialog', { name: `Wil je ${alias} aan een andere organisatie geven` });
  const organization = page.getByLabel('Organisatie', { exact: true });
  await page.getByLabel('Merk').fill('Nog niet opgeslagen');
  await organization.selectOption(buyer.clean);
  await expect(dialog.getByLabel('Naar')).toHaveValue(buyer.name);
  await expect(dialog).toContainText(`${seller.organization.clean} houdt de metingen tot`);
  await dialog.getByRole('button', { name: 'Nee' }).click();
  await expect(organization.locator('option:checked')).toHaveText(seller.organization.clean);
  await page.getByRole('button', { name: 'Verkoop of verplaats' }).click();
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'Kies een organisatie.' })).toBeVisible();
  await dialog.getByLabel('Naar').selectOption(buyer.clean);
  await expect(dialog).toContainText('maak binnen 30 dagen een nieuwe configuratie');
  await expectAccessible(page, 'sale');
  // The whole dialog fits a phone and a desktop.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(dialog.getByRole('button', { name: 'Nee' })).toBeInViewport();
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByRole('status').filter({ hasText: `van ${buyer.clean}.` })).toBeVisible();
  await expect(organization.locator('option:checked')).toHaveText(buyer.clean);
  // The form can still be saved, under the new owner.
  await page.getByRole('button', { name: 'Machine Opslaan' }).click();
  await expect(page).toHaveURL(`/machine/${serial}`);
});
