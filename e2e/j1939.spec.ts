import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import { uploadDbc } from './upload-dbc.ts';

test('a DBC file with J1939 groups gets a proposal to read them as J1939, which one button adopts (42.1) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('admin');
  const { serial } = await machine();
  await signInByApi(page, email);
  const dbc = 'BO_ 2364540158 EEC1: 8 X\n SG_ Rpm : 24|16@1+ (0.125,0) [0|8031.875] "rpm" X\n';
  await uploadDbc(page, serial, dbc);
  await page.goto(`/machine/edit/${serial}/definitie`);
  const bus = page.getByRole('region', { name: 'CAN-bus 0' });
  await expect(bus).toContainText('De meeste nummers zijn bekende J1939-groepen.');
  await expectAccessible(page, 'proposal');
  await page.setViewportSize({ width: 390, height: 844 });
  await bus.scrollIntoViewIfNeeded();
  await bus.getByRole('button', { name: 'Neem over' }).click();
  await expect(bus.getByLabel('J1939 op CAN-bus 0')).toHaveValue('all');
  await expect(bus).not.toContainText('bekende J1939-groepen');
});

test('a person sees which senders share a message, and maps each pack to its own sender (42.3) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('admin');
  const { serial, put } = await machine();
  await signInByApi(page, email);
  const dbc = `BO_ 2566873598 Pack: 8 X
 SG_ Soc1 : 0|8@1+ (0.4,0) [0|100] "%" X
BA_ "ProtocolType" "J1939";
`;
  await uploadDbc(page, serial, dbc);
  const second = Math.floor(Date.now() / 1000) - 2;
  const frames = ['18FF61F4#C8', '18FF61F3#64', '18FF61F4#FF'];
  await put('packs.log', frames.map((frame) => `(${second}.000000) can0 ${frame}\n`).join(''));

  await page.goto(`/machine/edit/${serial}/definitie`);
  const seen = page.getByRole('region', { name: 'J1939 in de logbestanden' });
  await expect(seen.getByRole('listitem').first()).toContainText('F3 1×F4 2×');
  await expect(seen).toContainText('1 keer niet beschikbaar');
  const sender = page.getByLabel('Afzender voor Laadtoestand accu 1');
  await expect(page.getByText('Let op: F3, F4 sturen dit bericht; de waarde komt nu van F4')).toBeVisible();
  await sender.fill('FE');
  await expect(page.getByText('Een afzender is een adres van 00 tot en met FD')).toBeVisible();
  await expectAccessible(page, 'sender');
  await page.setViewportSize({ width: 390, height: 844 });
  await sender.fill('f3');
  await page.getByRole('button', { name: 'Opslaan', exact: true }).click();
  await expect(page.getByText('De koppeling is opgeslagen.')).toBeVisible();
  await page.reload();
  await expect(sender).toHaveValue('F3');
});

test('a person chooses which messages of a CAN bus are read as J1939 (42.1) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('admin');
  const { serial } = await machine();
  await signInByApi(page, email);
  const message = (id: number, name: string) =>
    `BO_ ${id} ${name}: 8 X\n SG_ ${name}Value : 0|8@1+ (1,0) [0|0] "" X\n`;
  await uploadDbc(
    page,
    serial,
    message(2566873598, 'Pack') + message(2147483664, 'Own') + message(16, 'Small'),
  );
  await page.goto(`/machine/edit/${serial}/definitie`);
  const choice = page.getByLabel('J1939 op CAN-bus 0');
  await choice.selectOption('gekozen berichten');
  const dialog = page.getByRole('dialog', { name: 'J1939-berichten op CAN-bus 0' });
  await expect(dialog.getByRole('checkbox')).toHaveCount(2);
  await dialog.getByLabel('Pack (0x18FF61FE)').check();
  await expectAccessible(page, 'messages');
  await dialog.getByRole('button', { name: 'Bewaar keuze (1)' }).click();
  await expect(choice).toHaveValue('some');
  await expect(page.getByRole('button', { name: '1 bericht gekozen: wijzig' })).toBeVisible();
});
