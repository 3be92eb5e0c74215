import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import { expectPageFitsScreen, uploadPastReadings } from './one-machine.ts';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

test('machines chosen in the overview are compared in graphs on one time axis and in a table of figures (53.31)', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  const one = await machine({ alias: 'Kraan 1', capacities: [90, 90] });
  const two = await machine({ alias: 'Kraan 2' });
  await machine({ alias: 'Kraan 3' });
  const half = { from: 1_800, to: 0, step: 60 };
  await uploadPastReadings(one, half, (n) => ({
    Soc1: 90 - n,
    Soc2: 70 - n,
    MotorSpeed: 900,
    BatteryCurrent: 50,
    BatteryVoltage: 400,
  }));
  await uploadPastReadings(two, half, (n) => ({ Soc1: 40 - n / 2, MotorSpeed: 900 }));
  await signInByApi(page, email);
  await page.setViewportSize(WIDE);
  await page.goto('/overzicht');
  await page.getByRole('button', { name: 'Vergelijk', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Vergelijk Kraan 1' }).check();
  await expect(page.getByText('1 van 5 gekozen, kies er minstens twee')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Vergelijk Kraan 2' }).check();
  await expectAccessible(page, 'choosing');
  await page.getByRole('link', { name: 'Vergelijk 2 machines' }).click();
  await expect(page).toHaveURL(`/vergelijk?machine=${one.serial}&machine=${two.serial}`);

  for (const name of ['Acculading', 'Vermogen', 'Draaien en laden'])
    await expect(page.getByRole('region', { name, exact: true }).getByRole('img')).toBeVisible();
  const legend = page.getByRole('list', { name: 'Machines' });
  await expect(legend.getByRole('listitem')).toHaveText([
    'Kraan 1',
    /Kraan 2.*geen vermogen, want de stroom is niet bekend/,
  ]);
  const slider = page.getByRole('slider', { name: 'Moment in de grafieken' });
  await slider.focus();
  await page.keyboard.press('End');
  await expect(legend.getByRole('listitem').first()).toHaveText(/Kraan 1: \d+%, \d+,\d kW, (Draait|Uit)/);
  await expect(slider).toHaveAttribute('aria-valuetext', /Kraan 1 \d+%.*Kraan 2 \d+%/);
  const figures = page.getByRole('table', { name: 'Cijfers per machine' });
  await expect(figures.getByRole('rowheader')).toHaveText([/Kraan 1/, /Kraan 2/]);
  await expect(page.getByText('Totaal')).toBeHidden();
  await expectAccessible(page, 'comparison');

  await page.setViewportSize(PHONE);
  await page.reload();
  await expect(page.getByRole('list', { name: 'Cijfers per machine' }).getByRole('heading')).toHaveText([
    /Kraan 1/,
    /Kraan 2/,
  ]);
  await expectPageFitsScreen(page);
  const spent = page.getByRole('table', { name: 'In deze periode' });
  expect(
    await spent.evaluate((table: HTMLElement) => table.offsetWidth - table.parentElement!.clientWidth),
  ).toBeLessThanOrEqual(0);
  await expectAccessible(page, 'comparison on a phone');
});

test('the figures of compared machines cover the days of the graphs, or a chosen month (53.31)', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  const [one, two] = [await machine({ alias: 'Kraan 1' }), await machine({ alias: 'Kraan 2' })];
  await signInByApi(page, email);
  await page.setViewportSize(WIDE);
  const address = `/vergelijk?machine=${one.serial}&machine=${two.serial}`;
  await page.goto(address);
  const title = (days: string | RegExp) => page.getByRole('heading', { name: days, exact: true });
  const choice = page.getByRole('combobox', { name: 'Cijfers van', exact: true });
  const period = page.getByRole('combobox', { name: 'Periode van het verloop' });
  await expect(choice.getByRole('option').first()).toHaveText('Periode van het verloop');
  await expect(choice).toHaveValue('period');
  await expect(title(/^Cijfers van \d\d-\d\d-\d{4} tot en met \d\d-\d\d-\d{4}$/)).toBeVisible();

  await page.goto(`${address}&van=2026-01-05&tot=2026-01-11`);
  await expect(title('Cijfers van 05-01-2026 tot en met 11-01-2026')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Cijfers per machine' }).getByRole('rowheader')).toHaveText([
    /Kraan 1/,
    /Kraan 2/,
  ]);
  const month = await choice.getByRole('option').nth(2).textContent();
  await choice.selectOption({ index: 2 });
  await expect(title(`Cijfers van ${month}`)).toBeVisible();
  await expect(page).toHaveURL(/&van=2026-01-05&tot=2026-01-11&maand=\d{4}-\d\d$/);
  await period.selectOption('Vandaag');
  await expect(title(`Cijfers van ${month}`)).toBeVisible();
  await choice.selectOption('Periode van het verloop');
  await expect(page).toHaveURL(`${address}&periode=vandaag`);
  await expect(title(/^Cijfers van \d\d-\d\d-\d{4}$/)).toBeVisible();
  await period.selectOption('Vorige maand');
  await expect(title(`Cijfers van ${month}`)).toBeVisible();
});

test('the comparison names machines that it cannot compare, and a machine’s page links to it (53.31)', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/404/);
  const { email, machine } = await portal.fleet();
  const { serial } = await machine({ alias: 'Kraan 1' });
  const other = await machine({ alias: 'Kraan 2' });
  const foreign = await (await portal.fleet()).machine({ alias: 'Van een ander' });
  await signInByApi(page, email);
  await page.goto(`/machine/${serial}`);
  await page.getByRole('link', { name: 'Vergelijk met…' }).click();
  await expect(page.getByText('Kies nog minstens één machine.')).toBeVisible();
  await page
    .getByRole('button', { name: /Machines/, expanded: false })
    .last()
    .click();
  await page.getByRole('checkbox', { name: /^Kraan 2/ }).click();
  await expect(page.getByText('Geen gegevens in deze periode')).toBeVisible();
  await expect(page.getByText('Kraan 2: stuurde nog niets')).toBeVisible();
  for (const [search, message] of [
    ['', 'Kies twee tot vijf machines.'],
    [
      `machine=${serial}&machine=${serial.toLowerCase()}`,
      `Machine ${serial.toLowerCase()} staat er twee keer in.`,
    ],
    [
      ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => `machine=${name}`).join('&'),
      'Kies hoogstens vijf machines; dit zijn er 6.',
    ],
    [`machine=${serial}&machine=${foreign.serial}`, 'De tweede machine bestaat niet.'],
    [`machine=${serial}&machine=${other.serial}&van=2026-01-01&tot=2026-03-01`, 'Kies hoogstens 31 dagen.'],
  ] as const) {
    await page.goto(`/vergelijk?${search}`);
    await expect(page.getByText(message).first()).toBeVisible();
  }
  await page.goto(`/vergelijk?machine=${serial}&machine=${foreign.serial}`);
  await expect(page.getByText('De tweede machine bestaat niet.').first()).toBeVisible();
  await expectAccessible(page, 'unknown machine');
});

test('two clicks on the page of a machine lead to its comparison with another machine of the same model (53.31)', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  const one = await machine({ alias: 'Kraan 1' });
  const two = await machine({ alias: 'Kraan 2' });
  await signInByApi(page, email);
  await page.goto(`/machine/${one.serial}`);
  await page.getByRole('link', { name: 'Vergelijk met…' }).click();
  await page.getByRole('checkbox', { name: /^Kraan 2, / }).click();
  await expect(page).toHaveURL(`/vergelijk?machine=${one.serial}&machine=${two.serial}`);
  await expect(page.getByRole('table', { name: 'Cijfers per machine' }).getByRole('rowheader')).toHaveText([
    /Kraan 1/,
    /Kraan 2/,
  ]);
});
