import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';

test('a beheerder plans maintenance of a machine, records that it was done, and sees what is due next (16.1e) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/400/);
  const { email, machine } = await portal.fleet('manager');
  const { serial } = await machine({ brand: 'Volta' });
  await signInByApi(page, email);
  await page.goto(`/machine/${serial}`);
  const card = page.getByRole('region', { name: 'Onderhoud' });
  const dialog = page.getByRole('dialog');
  // Panels far down are loaded when the page is scrolled to them.
  await expect(async () => {
    await page.mouse.wheel(0, 3_000);
    await expect(card).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(card.getByText('Nog geen onderhoud')).toBeVisible();
  await card.getByRole('button', { name: 'Voeg onderhoud toe' }).click();
  await dialog.getByLabel('Onderhoud').fill('Grote beurt');
  await dialog.getByRole('button', { name: 'Opslaan' }).click();
  await expect(dialog.getByText('vul minstens een van beide in')).toBeVisible();
  await dialog.getByLabel('Elke zoveel maanden').fill('12');
  await dialog.getByLabel('Laatst gedaan op').fill('01-02-2020');
  await expectAccessible(page, 'dialog');
  await dialog.getByRole('button', { name: 'Opslaan' }).click();
  await expect(card.getByText(/^Nu nodig, [\d.]+ dagen over tijd$/)).toBeVisible();
  await card.getByRole('button', { name: 'Gedaan: Grote beurt' }).click();
  await dialog.getByLabel('Opmerking').fill('Olie ververst');
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/maintenance/done'));
  await dialog.getByRole('button', { name: 'Opslaan' }).click();
  expect((await answer).status()).toBe(200);
  await expect(card.getByRole('status')).toContainText('Genoteerd.');
  await expect(card.getByText(/^Over 36[56] dagen, op /)).toBeVisible();
  await card.getByText('Eerder gedaan (1)').click();
  await expect(card.getByText('Olie ververst')).toBeVisible();
  await expectAccessible(page, 'card');
  await card.getByRole('button', { name: 'Verwijder Grote beurt' }).click();
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(card.getByText('Nog geen onderhoud')).toBeVisible();
});
