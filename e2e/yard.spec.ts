import { addMachines } from './many-machines.ts';
import { expect, expectAccessible, signIn, test } from './fixtures.ts';
for (const [name, view] of [['phone', { width: 390, height: 844 }], ['desk', { width: 1280, height: 800 }]] as const)
  test(`shots ${name}`, async ({ page, portal }) => {
    await page.setViewportSize(view);
    const { email, machine } = await portal.fleet();
    const { serial } = await machine({ alias: 'Eerste' });
    const state = {
      Soc1: '(n * 37) % 101',
      IsCharging1: 'case when n % 5 = 0 then 1 else 0 end',
      ChargingCurrent: 'case when n % 5 = 0 then 40 else 0 end',
      MotorSpeed: 'case when n % 3 = 0 then 900 else 0 end',
    };
    await addMachines(portal, serial, 120, "'Werf ' || n", { LATITUDE: '52.1', LONGITUDE: '5.3', ...state });
    const spread = await machine({ alias: 'Los' });
    await addMachines(portal, spread.serial, 60, "'Land ' || n", { LATITUDE: '51.5 + random() * 1.5', LONGITUDE: '4.5 + random() * 2', ...state });
    const { pool } = await portal.database();
    await pool.query("update latest l set time = now() - interval '1 hour', signals = replace(signals::text, (signals #>> '{LATITUDE,1}'), (extract(epoch from now() - interval '1 hour')::bigint * 1000)::text)::json from stream s where s.id = l.stream_id and s.alias like '%4'");
    await signIn(page, email);
    await page.waitForTimeout(2500);
    await page.screenshot({ path: `/tmp/h/shots/map-${name}-1.png` });
    const map = page.getByRole('region', { name: 'Kaart met machines' });
    await map.getByRole('button', { name: /^1\d\d machines/ }).first().click();
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/h/shots/map-${name}-2.png` });
    console.log(page.url());
    await page.goto('/?kaart=52.1,5.3,16');
    await map.getByRole('button', { name: /^120 machines/ }).first().click();
    await page.waitForTimeout(1200);
    await page.screenshot({ path: `/tmp/h/shots/map-${name}-3.png` });
    await expectAccessible(page, 'yard list');
    await page.getByRole('button', { name: /Werf 7 / }).first().click();
    await page.waitForTimeout(800);
    await page.screenshot({ path: `/tmp/h/shots/map-${name}-4.png` });
    await expectAccessible(page, 'yard machine');
    console.log(page.url());
    await page.goto('/?kaart=52.3,5.3,11');
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/h/shots/map-${name}-5.png` });
    if (name === 'phone') { await page.getByRole('button', { name: 'Machines in de buurt' }).click(); await page.waitForTimeout(500); await page.screenshot({ path: `/tmp/h/shots/map-${name}-6.png` }); }
  });
