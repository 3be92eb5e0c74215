import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import { fillRequiredFields, submitButton } from './new-machine.ts';

test('a deleted LMB logger is restored from the list, or by creating a logger with its loggerid again (12.C4) @long', async ({
  page,
  portal,
}) => {
  const { organization, lmbLogger } = await portal.fleet('logger');
  const other = await portal.fleet('logger');
  const { email } = await portal.fleet('admin');
  const { serial, alias } = await lmbLogger('Krol van toen');
  await signInByApi(page, email);
  const remove = () =>
    page.request.delete(`/api/berend/delete?loggerid=${serial}`, { headers: SCRIPT_HEADERS });
  await remove();
  await page.goto('/lmb-logging/');
  const deleted = page.getByRole('list', { name: 'Verwijderde machines' });
  await deleted.getByRole('button', { name: `Zet terug ${alias}` }).click();
  await expectAccessible(page, 'the question whether to restore');
  await page.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'is teruggezet' })).toContainText(
    `Logger ${serial} meldt zich weer met de sleutel die hij had.`,
  );
  const card = page.getByRole('list', { name: 'Machines', exact: true }).getByRole('listitem');
  await expect(card.filter({ hasText: `#${serial}` })).toHaveCount(1);
  await expect(deleted.getByRole('button', { name: `Zet terug ${alias}` })).toHaveCount(0);

  await remove();
  await page.goto('/lmb-logging/nieuw');
  const make = async (owner: string) => {
    await page.getByLabel('Organisatie').selectOption(owner);
    await page.getByLabel('Loggerid').fill(serial);
    await page.getByLabel('Naam').fill('Krol van nu');
    await page.keyboard.press('Enter');
  };
  await make(organization.name);
  const offer = page.getByRole('dialog', { name: 'Dit nummer is er al eerder geweest' });
  await expect(offer).toContainText(alias);
  await expect(offer.getByRole('button', { name: 'Zet terug met geschiedenis' })).toBeFocused();
  await expectAccessible(page, 'the offer to restore');
  await page.keyboard.press('Escape');
  await expect(offer).toHaveCount(0);
  await expect(page.getByLabel('Naam')).toHaveValue('Krol van nu');
  await make(organization.name);
  await expect(offer.getByRole('button', { name: 'Zet terug met geschiedenis' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/lmb-logging/');
  await expect(card.filter({ hasText: `#${serial}` })).toContainText(alias);

  // The deleted logger is not offered to another organization.
  await remove();
  await page.goto('/lmb-logging/nieuw');
  await make(other.organization.name);
  await expect(page).toHaveURL('/lmb-logging/');
  await expect(card.filter({ hasText: `#${serial}` })).toContainText('Krol van nu');
});

test('creating a machine with the serial number of a deleted one offers to restore it, or to begin without its history (12.C4) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/409/);
  const { email, organization, machine } = await portal.fleet('admin');
  const { serial, alias } = await machine();
  await signInByApi(page, email);
  const remove = () =>
    page.request.delete(`/api/machine/delete?machine_serial=${serial}`, { headers: SCRIPT_HEADERS });
  await remove();
  await page.goto('/machine/nieuw');
  await fillRequiredFields(page, organization.clean, serial);
  await submitButton(page).click();
  await page.getByRole('button', { name: 'Zet terug met geschiedenis' }).click();
  await expect(page).toHaveURL('/machine/');
  await expect(
    page.getByRole('status').filter({ hasText: `${alias}: Machine is teruggezet.` }),
  ).toBeVisible();
  await remove();
  await page.goto('/machine/nieuw');
  const created = await fillRequiredFields(page, organization.clean, serial);
  await submitButton(page).click();
  await page.getByRole('button', { name: 'Begin opnieuw' }).click();
  await expect(page.getByRole('heading', { name: new RegExp(`^${created.alias} is gemaakt`) })).toBeVisible();
});
