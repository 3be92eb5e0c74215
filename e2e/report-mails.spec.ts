import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';

test('a person subscribes to a report by mail and ends it in Mijn account, and the organization decides about the attachment (14.5k) @long', async ({
  page,
  portal,
}) => {
  const { email, organization } = await portal.fleet('manager');
  await signInByApi(page, email);
  await page.goto('/rapporten/dagstaten');
  const weekly = page.getByRole('switch', { name: 'Elke week per mail' });
  await expect(weekly).toHaveAttribute('aria-checked', 'false');
  await weekly.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Je krijgt dit rapport elke maandag om half zeven per mail.')).toBeVisible();
  await expect(weekly).toHaveAttribute('aria-checked', 'true');
  await expectAccessible(page, 'report');
  await page.goto('/rapporten/inzet?minuten=30');
  await expect(weekly).toHaveAttribute('aria-checked', 'false');

  await page.goto('/account/#rapporten');
  const panel = page.getByRole('region', { name: 'Mijn rapporten per mail' });
  await expect(panel.getByRole('listitem')).toContainText('DagstatenElke week per mail');
  await panel.getByRole('button', { name: 'Zet uit: Dagstaten, Elke week per mail' }).click();
  await expect(panel).toContainText('Je krijgt geen rapport per mail.');
  await expect(panel.getByRole('status')).toHaveText('Je krijgt dit rapport niet meer per mail.');

  await page.goto(`/organization/${organization.name}`);
  const files = page.getByRole('switch', { name: 'Rapporten als bijlage meesturen' });
  await files.click();
  await expect(files).toHaveAttribute('aria-checked', 'true');
  await expectAccessible(page, 'settings');
});
