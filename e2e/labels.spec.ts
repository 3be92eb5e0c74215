import { expect, expectAccessible, signIn, test } from './fixtures.ts';

test('a machine gets labels and a star, which its card and page show, by keyboard too (15.2m) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/409/);
  const fleet = await portal.fleet('user');
  const kraan = await fleet.machine({ alias: 'Kraan Noord', model: 'EX-9 met een heel lange modelnaam' });
  const shovel = await fleet.machine({ alias: 'Shovel Zuid' });
  for (const machine of [kraan, shovel]) await machine.report({ Soc1: 64 });
  await signIn(page, fleet.email);
  await page.goto(`${portal.address}/machine/${kraan.serial}`);
  await page.getByRole('button', { name: 'Labels van Kraan Noord' }).press('Enter');
  const editor = page.getByRole('dialog', { name: 'Labels van Kraan Noord' });
  await expect(editor.getByText('Er zijn nog geen labels.')).toBeVisible();
  const field = editor.getByRole('textbox', { name: 'Zoek of maak een label' });
  await expect(field).toBeFocused();
  await page.keyboard.type('Huur');
  await editor.getByRole('radio', { name: 'groen' }).press('Space');
  await editor.getByRole('button', { name: 'Maak label ‘Huur’' }).press('Enter');
  await expect(editor.getByRole('checkbox', { name: 'Huur', exact: true })).toBeChecked();
  await field.fill('Keuring');
  await editor.getByRole('button', { name: 'Maak label ‘Keuring’' }).click();
  await expect(editor.getByRole('checkbox', { name: 'Keuring', exact: true })).toBeChecked();
  await editor.getByRole('checkbox', { name: 'Keuring', exact: true }).press('Space');
  await expect(editor.getByRole('checkbox', { name: 'Keuring', exact: true })).not.toBeChecked();
  await editor.getByRole('button', { name: 'Wijzig label Huur' }).click();
  await expect(editor.getByRole('textbox', { name: 'Naam' })).toBeFocused();
  await editor.getByRole('textbox', { name: 'Naam' }).fill('keuring');
  await editor.getByRole('button', { name: 'Opslaan' }).click();
  await expect(editor.getByText("Er is al een label 'keuring'.")).toBeVisible();
  await expectAccessible(page, 'the labels of a machine');
  await editor.getByRole('textbox', { name: 'Naam' }).fill('Verhuurd');
  await editor.getByRole('button', { name: 'Opslaan' }).press('Enter');
  await expect(editor.getByRole('button', { name: 'Klaar' })).toBeFocused();
  await expect(editor.getByRole('checkbox', { name: 'Verhuurd', exact: true })).toBeChecked();
  await editor.getByRole('button', { name: 'Wijzig label Keuring' }).click();
  await editor.getByRole('button', { name: /^Verwijder label/ }).click();
  const question = page.getByRole('dialog', { name: 'Weet je zeker dat je dit label wilt verwijderen' });
  await expect(question).toContainText('Geen enkele machine draagt het.');
  await question.getByRole('button', { name: 'Ja' }).click();
  await expect(editor.getByRole('checkbox', { name: 'Keuring', exact: true })).toBeHidden();
  await expect(editor.getByRole('button', { name: 'Klaar' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(editor).toBeHidden();
  await expect(page.getByRole('list', { name: 'Labels' })).toHaveText('Verhuurd');
  const star = page.getByRole('button', { name: 'Favoriet: Kraan Noord' });
  await star.press('Enter');
  await expect(star).toHaveAttribute('aria-pressed', 'true');
  await page.goto(`${portal.address}/machine/`);
  const card = page.getByRole('listitem').filter({ hasText: 'Kraan Noord' });
  await expect(card.getByRole('list', { name: 'Labels' })).toHaveText('Verhuurd');
  await expect(card.getByRole('button', { name: 'Favoriet: Kraan Noord' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
});

test('the list, the overview, the popup and the quick menu filter by favourites and labels, also by the address (15.2n, 15.2p)', {
  tag: '@long',
}, async ({ page, portal }) => {
  const fleet = await portal.fleet('user');
  const [kraan, shovel] = [
    await fleet.machine({ alias: 'Kraan Noord' }),
    await fleet.machine({ alias: 'Shovel Zuid' }),
  ];
  for (const machine of [kraan, shovel]) await machine.report({ Soc1: 64, LATITUDE: 52.1, LONGITUDE: 5.1 });
  await signIn(page, fleet.email);
  const ask = async (path: string, body: object) =>
    (
      await page.request.post(portal.address + path, { data: body, headers: { 'x-requested-with': 'test' } })
    ).json();
  const { _id } = await ask('/api/label/create', { labelName: 'Verhuurd', labelColour: 'green' });
  await ask('/api/label/assign', { _id, serial: kraan.serial });
  await ask('/api/favourite/add', { serial: shovel.serial });
  await page.goto(`${portal.address}/machine/`);
  const cards = page.getByRole('list', { name: 'Machines' }).getByRole('heading');
  await expect(cards).toHaveCount(2);
  await page.getByRole('button', { name: 'Verhuurd', exact: true }).click();
  await expect(cards).toHaveCount(1);
  await expect(page).toHaveURL(new RegExp(`label=${_id}$`));
  await expect(page.getByRole('listitem').filter({ hasText: 'Kraan Noord' })).toBeVisible();
  await page.getByRole('button', { name: 'Favorieten' }).click();
  await expect(page.getByText('Niets gevonden', { exact: true })).toBeVisible();
  await expectAccessible(page, 'a list that labels left nothing of');
  await page.getByRole('button', { name: 'Toon alle machines' }).click();
  await expect(cards).toHaveCount(2);
  await page.goto(`${portal.address}/?label=${_id}`);
  const nearby = page.getByRole('region', { name: 'Machines in de buurt' });
  await expect(nearby.getByText('Kraan Noord')).toBeVisible();
  await expect(nearby.getByText('Shovel Zuid')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Verhuurd', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await nearby.getByText('Kraan Noord').click();
  const popup = page.getByRole('dialog', { name: 'Kraan Noord' });
  await expect(popup.getByRole('list', { name: 'Labels' })).toHaveText('Verhuurd');
  const star = popup.getByRole('button', { name: 'Favoriet: Kraan Noord' });
  await expect(star).toHaveAttribute('aria-pressed', 'false');
  await expectAccessible(page, 'the map of a label');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${portal.address}/overzicht?label=${_id}`);
  await expect(page.getByRole('link', { name: 'Kraan Noord' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Shovel Zuid' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Machines', exact: true }).click();
  const menu = page.getByRole('navigation', { name: 'Machines' });
  await menu.getByRole('button', { name: 'Favorieten' }).click();
  await expect(menu.getByRole('status')).toHaveText('1 van 2 machines');
  await expect(menu.getByRole('link', { name: 'Shovel Zuid' })).toBeVisible();
});
