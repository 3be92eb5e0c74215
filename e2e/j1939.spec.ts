import { enter, expect, expectAccessible, NO_POSITION, test } from './fixtures.ts';
import { uploadDbc } from './upload-dbc.ts';

test('42.1 a file with J1939 groups gets a proposal, which one button takes over @long', async ({
  page,
  portal,
  expectConsole,
}, info) => {
  expectConsole(NO_POSITION);
  const { email, machine } = await portal.fleet('admin');
  const { serial } = await machine();
  await enter(page, email);
  const dbc = 'BO_ 2364540158 EEC1: 8 X\n SG_ Rpm : 24|16@1+ (0.125,0) [0|8031.875] "rpm" X\n';
  await uploadDbc(page, serial, dbc);
  await page.goto(`/machine/edit/${serial}/definitie`);
  const bus = page.getByRole('region', { name: 'CAN-bus 0' });
  await expect(bus).toContainText('De meeste nummers zijn bekende J1939-groepen.');
  await expectAccessible(page, 'proposal');
  await page.screenshot({ path: info.outputPath('j1939.png') });
  await page.setViewportSize({ width: 390, height: 844 });
  await bus.scrollIntoViewIfNeeded();
  await page.screenshot({ path: info.outputPath('j1939-phone.png') });
  await bus.getByRole('button', { name: 'Neem over' }).click();
  await expect(bus.getByLabel('J1939 op CAN-bus 0')).toHaveValue('all');
  await expect(bus).not.toContainText('bekende J1939-groepen');
});
