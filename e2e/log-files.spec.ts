import type { Page } from '@playwright/test';
import { createSdCardFile } from '#server/log-files/test/sd-card.ts';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { type E2ePortal, expect, expectAccessible, signInByApi, test } from './fixtures.ts';

const HOUR_MS = 3_600_000;
const DBC = `BO_ 500 Drive: 8 X
 SG_ Soc1 : 0|8@1+ (0.5,0) [0|100] "%" X
 SG_ MotorSpeed : 8|16@1+ (1,0) [0|8000] "rpm" X
`;

/** Drops files on the drop area. */
async function drop(
  page: Page,
  files: readonly { readonly name: string; readonly bytes: Buffer }[],
): Promise<void> {
  const transfer = await page.evaluateHandle(
    (given) => {
      const data = new DataTransfer();
      for (const { name, base64 } of given)
        data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
      return data;
    },
    files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') })),
  );
  const place = logFiles(page).getByText(/^Heb je de SD-kaart/);
  await place.dispatchEvent('dragover', { dataTransfer: transfer });
  await place.dispatchEvent('drop', { dataTransfer: transfer });
}
/** Chooses files in the dialog that the button opens, by keyboard. */
async function choose(page: Page, files: Parameters<typeof drop>[1]): Promise<void> {
  const opened = page.waitForEvent('filechooser');
  await logFiles(page).getByRole('button', { name: 'Kies logbestanden' }).focus();
  await page.keyboard.press('Enter');
  await (await opened).setFiles(
    files.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: bytes })),
  );
}
const logFiles = (page: Page) => page.getByRole('region', { name: 'Logbestanden' });

/** Makes a machine with a DBC, and opens the page of its logger as the signed-in person. */
async function withDefinition(page: Page, portal: E2ePortal) {
  const { email, machine } = await portal.fleet('admin');
  const made = await machine();
  await signInByApi(page, email);
  const file = `data:application/octet-stream;base64,${Buffer.from(DBC).toString('base64')}`;
  const uploaded = await page.request.post('/api/machine/dbc/upload', {
    headers: SCRIPT_HEADERS,
    data: { serial: made.serial, name: 'accu.dbc', file, bus: 0 },
  });
  expect(uploaded.status()).toBe(200);
  await page.goto(`/machine/edit/${made.serial}`);
  return made;
}

for (const [size, viewport] of [
  ['desktop', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
] as const)
  test(`a technician ${size === 'phone' ? 'chooses' : 'drops'} an SD card's file and sees its readings; a wrong file is refused with a reason, on a ${size} (43.5) @long`, async ({
    page,
    portal,
    expectConsole,
  }) => {
    // The browser reports the refused upload in its console.
    expectConsole(/400 \(Bad Request\).*upload/);
    await page.setViewportSize(viewport);
    const { serial, loggerSerial } = await withDefinition(page, portal);
    await expect(logFiles(page)).toContainText('Er zijn nog geen logbestanden');
    const start = Math.floor((Date.now() - 26 * HOUR_MS) / 60_000) * 60_000;
    const card = createSdCardFile(loggerSerial, start, { seconds: 3600, others: [0x700, 0x701] });
    await (size === 'phone' ? choose : drop)(page, [card, { name: 'foto.jpg', bytes: Buffer.from('x') }]);

    const placed = logFiles(page).getByRole('list', { name: 'Geplaatste bestanden' }).getByRole('listitem');
    await expect(placed.nth(0).getByRole('status')).toHaveText(
      '3.600 s, 10.800 frames, 2 van 2 gekoppelde signalen gevonden, 2 identifiers zonder definitie; 3.600 metingen',
    );
    await expect(placed.nth(1).getByRole('alert')).toHaveText(/^Dit soort bestand leest het portaal niet\./);
    const row = logFiles(page).getByRole('table', { includeHidden: true }).locator('tbody');
    await expect(row).toHaveCount(1);
    await expect(row).toContainText(card.name);
    await expect(row).toContainText('3.600 metingen');
    await expectAccessible(page, `log files on a ${size}`);

    const downloading = page.waitForEvent('download');
    await logFiles(page)
      .getByRole('link', { name: `Download ${card.name}` })
      .click();
    expect((await downloading).suggestedFilename()).toBe(card.name);
    const again = logFiles(page).getByRole('button', { name: `Decodeer opnieuw: ${card.name}` });
    await again.focus();
    await page.keyboard.press('Enter');
    await expect(again).toHaveText('Decodeer opnieuw');

    await logFiles(page)
      .getByRole('link', { name: `Bekijk deze periode: ${card.name}`, exact: true })
      .click();
    await expect(page).toHaveURL(new RegExp(`/machine/${serial}\\?start=`));
    await expect(page.getByRole('region', { name: 'Verloop' })).toContainText(/Draaide (1 u|60 min|59 min)/);
  });

for (const [size, viewport] of [
  ['desktop', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
] as const)
  test(`a log file with unreadable lines shows how many were skipped, and which interface is which bus, on a ${size} (52.1) @long`, async ({
    page,
    portal,
  }) => {
    await page.setViewportSize(viewport);
    await withDefinition(page, portal);
    const start = Math.floor(Date.now() / 1000) - 26 * 3_600;
    const lines = Array.from({ length: 60 }, (_, n) =>
      n % 3 === 2 ? `damaged line ${n}` : `(${start + n}.000000) can0 1F4#64E8030000000000`,
    );
    const name = 'rit.log';
    await choose(page, [{ name, bytes: Buffer.from(lines.join('\n')) }]);
    const row = logFiles(page).getByRole('table', { includeHidden: true }).locator('tbody');
    await expect(row).toContainText(
      /40 metingen; 20 regels zijn niet gelezen: regel 3 is ‘damaged line 2’; verwacht wordt een regel zoals/,
    );
    await expect(row).toContainText('can0 is bus 0');
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    expect(scrollWidth).toBe(clientWidth);
    await expectAccessible(page, `a log file in part left out on a ${size}`);
  });

for (const [size, viewport] of [
  ['desktop', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
] as const)
  test(`the overview shows a logger whose last ten log files had no readings, and links to it, on a ${size} (52.2) @long`, async ({
    page,
    portal,
  }) => {
    await page.setViewportSize(viewport);
    const { serial, alias, put } = await withDefinition(page, portal);
    const start = Math.floor(Date.now() / 1000) - 3_600;
    const unknown = (n: number): string =>
      [0, 1, 2].map((s) => `(${start + 60 * n + s}.000000) can0 7FF#0102030405060708\n`).join('');
    for (let n = 0; n < 9; n += 1) await put(`1/rit-${n}.log`, unknown(n));
    const machine = page
      .getByRole(size === 'phone' ? 'listitem' : 'row')
      .filter({ has: page.getByRole('link', { name: alias }) });
    const link = machine.getByRole('link', { name: 'Laatste 10 logbestanden zonder metingen' });
    // An administrator sees the machines of other tests too.
    await page.goto(`/overzicht?zoek=${serial}`);
    await expect(machine).toBeVisible();
    await expect(link).toHaveCount(0);
    await put('1/rit-9.log', unknown(9));
    await expect(async () => {
      await page.reload();
      await expect(link).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 20_000 });
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    expect(scrollWidth).toBe(clientWidth);
    await expectAccessible(page, `a logger without readings on a ${size}`);
    await machine.scrollIntoViewIfNeeded();
    await link.focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/machine/edit/${serial}`);
    await expect(logFiles(page)).toContainText('0 metingen; geen van de 3 frames staat in het DBC-bestand');
    await logFiles(page).scrollIntoViewIfNeeded();
  });
