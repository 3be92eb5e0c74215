import { tellForecast } from '#server/charging-sessions/charge-forecasts.ts';
import { untilCounted } from '#server/day-figures/test/until-counted.ts';
import { store } from '#server/history/test/readings.ts';
import { enter, test } from './fixtures.ts';
import { open } from './one-machine.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OUT = '/tmp/h/shots/machine';
const SIZES = (process.env.SIZES ?? '390x844,820x1180,1280x800,1920x1080').split(',');
const SCHEMES = (process.env.SCHEMES ?? 'light,dark').split(',');
const WHICH = process.env.WHICH?.split(',');

test('look', async ({ page, portal, expectConsole }) => {
  expectConsole(/./);
  const { email, machine } = await portal.fleet('manager');
  const { pool } = await portal.database();
  const idOf = async (serial: string) =>
    (await pool.query<{ id: number }>('select id from stream where serial = $1', [serial])).rows[0]!.id;
  const now = Math.floor(Date.now() / 1000) * 1000;

  const works = await machine({ alias: 'Rups 12', brand: 'Volvo', model: 'ECR25 Electric', capacities: [40, 40, 20] });
  await pool.query(
    `update machine set accessories = '[{"naam":"Sorteergrijper","nummer":3},{"naam":"Slotenbak 120 cm","nummer":12}]', macaddress='AA:BB:CC:DD:EE:FF', initial_hours = 1200 from stream s where s.id = stream_id and s.serial = $1`,
    [works.serial],
  );
  const readings = [];
  for (let t = now - 9 * DAY; t <= now; t += MINUTE) {
    const hour = new Date(t).getUTCHours() + new Date(t).getUTCMinutes() / 60;
    const day = Math.floor((t - now) / DAY);
    const runs = hour >= 6 && hour < 15 && !(hour > 11 && hour < 11.6) && day !== -4;
    const drives = runs && (hour < 7 || (hour > 9 && hour < 9.7) || hour > 14);
    if (!runs && hour > 21) continue;
    const part = (hour - 6) / 9;
    const soc = runs ? 95 - part * 60 : hour >= 15 ? Math.min(96, 35 + (hour - 15) * 20) : 95;
    readings.push({
      time: t,
      signals: {
        LATITUDE: 52.2 + (drives ? Math.sin(hour * 5) * 0.01 : 0.005),
        LONGITUDE: 5.9 + (drives ? Math.cos(hour * 3.3) * 0.014 : 0),
        Soc1: soc, Soc2: soc - 4 + Math.sin(hour) * 2,
        ...(t < now - 20 * MINUTE && { Soc3: soc + 2 }),
        MotorSpeed: runs ? 900 : 0, BatteryCurrent: runs ? 20 : hour >= 15 && hour < 18.2 ? -45 : 0, BatteryVoltage: 400,
        IsCharging1: !runs && hour >= 15 && hour < 18.2 ? 1 : 0, ChargingCurrent: !runs && hour >= 15 && hour < 18.2 ? 45 : 0, ChargingVoltage: 400,
        Speed: drives ? 5 : 0,
      },
    });
  }
  await store(pool, await idOf(works.serial), readings);

  const whole = await machine({ alias: 'Kraan met alles', brand: 'Hitachi', model: 'ZE85', capacities: [60, 40] });
  await store(pool, await idOf(whole.serial), readings.map((r) => ({ ...r, signals: Object.fromEntries(Object.entries({ ...r.signals, Speed: 3 }).filter(([name]) => name !== 'Soc3')) })));

  const charges = await machine({ alias: 'Lader 3', brand: 'Kramer', model: '5055e', capacities: [60, 40] });
  const begun = now - 80 * MINUTE;
  const signalsAt = (hours: number): Record<string, number> => {
    const rest = { LATITUDE: 52.12, LONGITUDE: 5.3, MotorSpeed: 0, BatteryCurrent: 0, BatteryVoltage: 400, IsCharging1: 0, ChargingCurrent: 0 };
    const soc = (percent: number) => ({ Soc1: percent, Soc2: percent });
    if (hours >= 12 && hours < 18) return { ...rest, ...soc(100 - 10 * (hours - 12)), MotorSpeed: 900, BatteryCurrent: 25 };
    if (hours >= 4) return { ...rest, ...soc(hours < 12 ? 100 : 40) };
    const amps = hours < 2 ? 50 : 25;
    return { ...rest, ...soc(hours < 2 ? 40 + 20 * hours : 60 + 10 * hours), BatteryCurrent: -amps, IsCharging1: 1, ChargingCurrent: amps };
  };
  const past = [];
  for (let t = begun - 7 * DAY; t <= now; t += 4 * MINUTE) past.push({ time: t, signals: signalsAt(((t - begun + 7 * DAY) % DAY) / HOUR) });
  const id = await idOf(charges.serial);
  await store(pool, id, past);
  await untilCounted(pool);
  await tellForecast(pool, id, now);

  const stale = await machine({ alias: 'Oude machine', capacities: [100] });
  await store(pool, await idOf(stale.serial), past.filter((r) => r.time < now - 3 * DAY));
  const empty = await machine({ alias: 'Nieuw', capacities: [30] });
  await untilCounted(pool);

  await enter(page, email);
  const pages: [string, string, string][] = [
    ['works', works.serial, ''], ['route', whole.serial, '?route=on'], ['charges', charges.serial, ''],
    ['stale', stale.serial, ''], ['empty', empty.serial, ''],
  ];
  const week = `?start=${new Date(now - 7 * DAY).toISOString()}&end=${new Date(now - MINUTE).toISOString()}`;
  pages.push(['week', whole.serial, week]);
  for (const size of SIZES)
    for (const scheme of SCHEMES)
      for (const [name, serial, search] of pages) {
        if (WHICH && !WHICH.includes(name)) continue;
        const [width = 0, height = 0] = size.split('x').map(Number);
        await page.emulateMedia({ colorScheme: scheme as 'light' });
        await page.setViewportSize({ width, height });
        await open(page, serial, search);
        await page.waitForTimeout(2500);
        if (name === 'route') {
          await page.getByText('Stops', { exact: true }).click().catch(() => {});
          await page.getByRole('slider', { name: 'Punt op de route' }).focus();
          for (let n = 0; n < 30; n++) await page.keyboard.press('PageDown');
        }
        await page.waitForTimeout(300);
        await page.screenshot({ path: `${OUT}/${name}-${size}-${scheme}.png`, fullPage: true });
      }
});
