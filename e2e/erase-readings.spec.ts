import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';

test('an administrator erases an hour of a signal after a preview, and restores it (55.13) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('admin');
  const { serial, report } = await machine();
  const now = Math.floor(Date.now() / 1000);
  for (let n = 30; n > 0; n -= 1) await report({ GMT_UNIX: now - n * 60, Soc1: 80, Speed: 4 });
  await signInByApi(page, email);
  await page.goto(`/machine/edit/${serial}/definitie`);
  const panel = page.getByRole('region', { name: 'Metingen wissen' });
  await panel.getByLabel('Wat').selectOption('Laadtoestand accu 1');
  await panel.getByRole('button', { name: 'Bekijk wat er gewist wordt' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Laadtoestand accu 1, uit 30 van de 30 metingen');
  await expectAccessible(page, 'erase');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(panel.getByRole('listitem')).toContainText('gewist, 30 metingen', { timeout: 20_000 });
  await page.setViewportSize({ width: 390, height: 844 });
  await panel.scrollIntoViewIfNeeded();
  await panel.getByRole('button', { name: 'Zet terug' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  await expect(panel.getByRole('listitem')).toContainText('teruggezet', { timeout: 20_000 });
  // 55.68: the message that the work is in progress disappears once the work is done.
  await expect(panel.getByText('De metingen worden teruggezet.')).toHaveCount(0);
});
