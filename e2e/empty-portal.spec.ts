import { enter, expect, expectAccessible, NO_POSITION, test } from './fixtures.ts';

/** The words that need a reading: none of them may stand on a screen with only machines that never reported. */
const WAS_SEEN = /Stil \(|laatst |Laatst gezien: |nooit iets gehoord|Nog geen gegevens ontvangen/;

test('54.5b shows a machine that never reported as never seen, and as nothing else, on every screen', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(NO_POSITION);
  const { email, machine } = await portal.fleet();
  const { serial } = await machine({ alias: 'Nieuwe kraan' });
  await machine({ alias: 'Nieuwe lader' });
  await enter(page, email);

  await page.goto('/');
  const nearby = page.getByRole('region', { name: 'Machines in de buurt' });
  const row = nearby.getByRole('link', { name: /Nieuwe kraan/ });
  await expect(row).toContainText('Nog nooit gezien');
  await expect(row.getByRole('img', { name: 'Nog nooit gezien' })).toBeVisible();
  await page.getByRole('button', { name: 'Machines', exact: true }).click();
  const menu = page.getByRole('navigation', { name: 'Machines' });
  await expect(menu.getByRole('link', { name: /Nieuwe kraan/ })).toContainText('Nog nooit gezien');
  await expect(page.locator('body')).not.toContainText(WAS_SEEN);

  await page.goto('/machine/');
  const cards = page.getByRole('list', { name: 'Machines', exact: true });
  await expect(cards.getByText('Nog nooit gezien')).toHaveCount(2);
  await expect(page.getByRole('main')).not.toContainText(WAS_SEEN);

  await page.goto('/overzicht');
  const line = page.getByRole('row', { name: /Nieuwe kraan/ });
  await expect(line).toContainText('Nog nooit gezien');
  await expect(line).toContainText('nog geen gegevens');
  await expect(line).not.toContainText(/Stil|te oud|gehoord$/);
  // As cards, a machine's status is the only line that says it.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('article').first().getByText('Nog nooit gezien')).toHaveCount(1);
  await expect(page.getByRole('article').first()).not.toContainText(WAS_SEEN);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.goto(`/machine/${serial}`);
  await expect(page.getByRole('status').filter({ hasText: 'Nog nooit gezien' })).toHaveText(
    'Nog nooit gezien',
  );
  await expect(page.getByRole('main')).not.toContainText(WAS_SEEN);
  await expect(page.getByRole('main')).not.toContainText('te oud');
  await expectAccessible(page, 'a machine that was never seen');
});
