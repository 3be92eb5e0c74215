import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';

test('a logger is replaced after a confirmation, and the former logger is restored with its key (55.10) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/400|409/);
  const { email, machine } = await portal.fleet('admin');
  const [one, other] = [await machine(), await machine()];
  const { serial, loggerSerial, report } = one;
  await report({ Soc1: 80 });
  await signInByApi(page, email);
  await page.goto(`/machine/edit/${serial}`);
  await expect(page.getByLabel('Influx serienummer')).toHaveAttribute('readonly', '');
  const key = page.getByRole('region', { name: 'Sleutel en koppeling' });
  await key.getByRole('button', { name: 'Vervang logger' }).click();
  const dialog = page.getByRole('dialog', { name: `Wil je logger ${loggerSerial} vervangen` });
  const yes = dialog.getByRole('button', { name: 'Ja' });
  const field = dialog.getByLabel('Serienummer van de nieuwe logger');
  await expect(field).toBeFocused();
  await yes.click();
  await expect(dialog.getByRole('alert').filter({ hasText: '7 cijfers' })).toBeVisible();
  await field.fill(other.loggerSerial);
  await yes.click();
  await expect(dialog.getByRole('alert').filter({ hasText: `meet nu voor ${other.serial}` })).toBeVisible();
  await expectAccessible(page, 'replace');
  // The whole dialog fits a phone and a desktop.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(dialog.getByRole('button', { name: 'Nee' })).toBeInViewport();
  await page.setViewportSize({ width: 1280, height: 800 });
  await field.fill('7654321');
  await yes.click();
  await expect(page.getByText('Logger 7654321 vervangt logger')).toBeVisible();
  await expect(page.getByLabel('Influx serienummer')).toHaveValue('7654321');
  const answer = () =>
    report({ Soc1: 81 }).then(
      () => 'taken',
      ({ name }: Error) => name,
    );
  await expect.poll(answer, { timeout: 20_000 }).toBe('InvalidAccessKeyId');
  const former = page.getByRole('region', { name: 'Eerdere koppelingen' });
  await former.scrollIntoViewIfNeeded();
  await former.getByRole('button', { name: `Zet logger ${loggerSerial} terug` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  await expect(former.getByRole('status')).toContainText(`Logger ${loggerSerial} hoort weer bij ${serial}`);
  await expect(page.getByLabel('Influx serienummer')).toHaveValue(loggerSerial);
  await expect.poll(answer, { timeout: 20_000 }).toBe('taken');
});
