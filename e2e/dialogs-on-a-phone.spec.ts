import type { Locator } from '@playwright/test';
import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';

test.use({ viewport: { width: 390, height: 844 } });

/** Expects that both buttons of a dialog's form are visible and at least 44 px high and wide. */
async function expectButtons(dialog: Locator, submit: string): Promise<void> {
  for (const name of [submit, 'Annuleren']) {
    const button = dialog.getByRole('button', { name, exact: true });
    await expect(button).toBeInViewport({ ratio: 1 });
    const words = await button.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(words, `${name} is cut off`).toBeLessThanOrEqual(0);
    const box = await button.boundingBox();
    expect(Math.min(box?.height ?? 0, box?.width ?? 0)).toBeGreaterThanOrEqual(44);
  }
}

test('on a phone the buttons of the dialogs for an invitation and for completed maintenance are in view, also with all fields open (53.21, 53.29)', async ({
  page,
  portal,
}) => {
  const fleet = await portal.fleet('manager');
  await signInByApi(page, fleet.email);
  await page.goto('/Users/');
  await page.getByRole('button', { name: 'Nodig iemand uit' }).click();
  const dialog = page.getByRole('dialog');
  await expectButtons(dialog, 'Nodig uit');
  await dialog.getByLabel('kijker').check();
  await dialog.getByLabel('Ziet alleen machines van projecten of labels').check();
  await dialog.getByLabel('E-mailadres').focus();
  await expectButtons(dialog, 'Nodig uit');
  // A focused field is not behind the buttons.
  await dialog.getByLabel('Alleen vandaag').focus();
  const field = await dialog.getByLabel('Alleen vandaag').boundingBox();
  const button = await dialog.getByRole('button', { name: 'Nodig uit' }).boundingBox();
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);
  await expectAccessible(page, 'invitation on a phone');
  await dialog.getByRole('button', { name: 'Annuleren' }).click();
  await expect(dialog).toHaveCount(0);

  await fleet.machine({ alias: 'Rups' });
  const { pool } = await portal.database();
  await pool.query(
    `with own as (select w.* from ownership w join organization o on o.id = w.organization_id where o.name = $1)
     insert into maintenance_plan (stream_id, organization_id, name, every_months, last_hours, last_day)
     select stream_id, organization_id, 'Grote beurt', 12, 0, '2026-01-01' from own`,
    [fleet.organization.name],
  );
  await page.goto('/onderhoud');
  await page.getByRole('button', { name: 'Gedaan: Grote beurt, Rups' }).click();
  await expectButtons(dialog, 'Opslaan');
  await dialog.getByRole('button', { name: 'Annuleren' }).click();
  await expect(dialog).toHaveCount(0);
});
