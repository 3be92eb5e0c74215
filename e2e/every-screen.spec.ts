/** Opens every screen with 24 machines at each size (issue 15, 'Done when'). */
import { isActionAllowed, type Member } from '#shared/domain/access.ts';
import { REPORT_KINDS } from '#shared/domain/reports/kinds.ts';
import { pages } from '#web/app/pages.ts';
import { type E2ePortal, expect, expectAccessible, forgetSession, signInByApi, test } from './fixtures.ts';
import { addMachines } from './many-machines.ts';
import { unreadableElements } from './readable.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];
const HERE = { LATITUDE: 52.1, LONGITUDE: 5.3 };

type Person = { readonly email: string; readonly screens: readonly string[] };

/** Makes a beheerder with 24 machines, of which one drove, an administrator, and a user of an LMB customer. Returns their screens. */
async function people(portal: E2ePortal): Promise<Person[]> {
  const fleet = await portal.fleet('manager');
  const one = await fleet.machine({
    alias: 'Mobiele graafmachine met rototilt 24',
    capacities: [90, 90, 90],
  });
  const end = Math.floor(Date.now() / 1000);
  for (let n = 12; n >= 0; n -= 1)
    await one.report({
      GMT_UNIX: end - n * 60,
      LATITUDE: HERE.LATITUDE + n / 1_000,
      LONGITUDE: HERE.LONGITUDE,
      Soc1: 60 + n,
      Soc2: 40,
      Soc3: 97,
      MotorSpeed: 900,
      BatteryCurrent: 20,
      BatteryVoltage: 400,
    });
  await addMachines(portal, one.serial, 23, `'Machine ' || n`, {
    LATITUDE: '52 + n * 0.01',
    LONGITUDE: '5',
    Soc1: '(n * 37) % 100',
    MotorSpeed: '(n % 3) * 200',
  });
  const { pool } = await portal.database();
  const { rows } = await pool.query<{ id: number }>(
    `insert into project (organization_id, name, first_day, areas)
     select id, 'Vernieuwing riolering Molenwijk fase 12b', '2026-01-01', '[{"centre": {"lat": 52.1, "lon": 5.3}, "radiusMetres": 500}]'
     from organization where name = $1 returning id`,
    [fleet.organization.name],
  );
  const project = rows[0]?.id;
  const terrein = await pool.query<{ id: number }>(
    `insert into terrein (organization_id, name, areas, counted_from)
     select id, 'Werf aan de Molenwijk', '[{"centre": {"lat": 52.1, "lon": 5.3}, "radiusMetres": 500}]', now()
     from organization where name = $1 returning id`,
    [fleet.organization.name],
  );
  await pool.query(
    `with made as (
       insert into webhook (organization_id, name, url, secret)
       select id, 'Planning', 'https://bedrijf.nl/' || repeat('x', 100), '' from organization where name = $1 returning id
     )
     insert into webhook_delivery (webhook_id, event_id, type, body, asked_at, tries, tried_at, status)
     select id, 'test-1', 'test', '{}', now(), 13, now(), 500 from made`,
    [fleet.organization.name],
  );
  await pool.query(
    `with made as (
       insert into label (organization_id, name, colour)
       select o.id, l.name, 'green' from organization o, unnest(array['Keuring in december', 'Ploeg rioleringen', 'Verhuurd aan derden']) as l (name)
       where o.name = $1 returning id
     )
     insert into machine_label (label_id, stream_id) select made.id, s.id from made, stream s where s.serial = $2`,
    [fleet.organization.name, one.serial],
  );
  await pool.query(
    `with template as (
       insert into maintenance_template (organization_id, brand, model)
       select id, 'Volta', 'EX-1' from organization where name = $1 returning id
     ), task as (
       insert into maintenance_template_task (template_id, name, every_hours, every_months)
       select id, 'Hydrauliekfilters vervangen en olie verversen', 500, 12 from template
     )
     insert into maintenance_plan (stream_id, organization_id, name, every_hours, every_months, last_hours, last_day)
     select s.id, o.id, 'Hydrauliekfilters vervangen en olie verversen', 500, 12, 0, '2020-01-01'
     from stream s, organization o where s.serial = $2 and o.name = $1`,
    [fleet.organization.name, one.serial],
  );
  const rail = await portal.fleet('logger');
  const logger = await rail.lmbLogger('Krol 24');
  await logger.report({ ...HERE, Speed: 12, Machinestatus: 2, Spoor: 3, Spoorstand: 1 });
  const admin = await portal.fleet('admin');
  const edited = await admin.machine({ alias: 'Van de beheerder', capacities: [50] });
  await edited.report({ ...HERE, Soc1: 50 });
  const { name } = fleet.organization;
  const manager = {
    member: { organization: name, isLmbCustomer: false, role: 'beheerder' },
    parameters: {
      name: [name],
      serialNumber: [one.serial],
      by: ['machine'],
      target: [one.serial],
      kind: REPORT_KINDS,
      id: [String(project)],
      terrein: [String(terrein.rows[0]?.id)],
    },
  } as const;
  const administrator = {
    member: { organization: 'admin', isLmbCustomer: false, role: 'administrator' },
    parameters: { serialNumber: [edited.serial] },
  } as const;
  const customer = {
    member: { organization: rail.organization.name, isLmbCustomer: true, role: 'beheerder' },
    parameters: { alias: ['Krol%2024'] },
  } as const;
  const seen = new Set<string>();
  return [
    {
      email: fleet.email,
      screens: [
        ...screensOf(manager, seen),
        `/machine/${one.serial}?route=on`,
        `/vergelijk?machine=${one.serial}&machine=${one.serial}-1`,
        `/rapporten/metingen?machine=${one.serial}`,
        '/bestaat-niet',
      ],
    },
    { email: rail.email, screens: screensOf(customer, seen) },
    {
      email: admin.email,
      screens: [...screensOf(administrator, seen), '/organization/', '/Users/', '/logboek'],
    },
  ];
}

type Visitor = {
  readonly member: Member;
  /** The values of the parameters in the paths of pages. */
  readonly parameters: Readonly<Record<string, readonly string[]>>;
};

/** Returns the addresses of the pages that a visitor may see. Leaves out the paths in `seen`, and adds the others to `seen`. */
function screensOf({ member, parameters }: Visitor, seen: Set<string>): string[] {
  return Object.values(pages).flatMap(({ path, needs }) => {
    if (seen.has(path) || (needs && !isActionAllowed(member, needs))) return [];
    seen.add(path);
    return path
      .slice(1)
      .split('/')
      .reduce<string[]>(
        (found, part) => {
          const values = part.startsWith(':') ? parameters[part.slice(1)] : [part];
          if (!values) throw new Error(`This visitor has no value for ${part} in ${path}.`);
          return found.flatMap((before) => values.map((value) => `${before}/${value}`));
        },
        [''],
      );
  });
}

for (const size of SIZES)
  test(`every screen fits ${size.width} x ${size.height} and has no accessibility violation (14.1l, 15.10a) @long`, async ({
    page,
    portal,
  }) => {
    test.setTimeout(600_000);
    await page.setViewportSize(size);
    for (const { email, screens } of await people(portal)) {
      await forgetSession(page);
      await signInByApi(page, email);
      for (const screen of screens) {
        await page.goto(screen);
        // The heading of the map is visible to screen readers only.
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
        await expect(page.getByText('Loading...')).toHaveCount(0);
        // Loaded content may be wider than its placeholder.
        await page.waitForLoadState('networkidle');
        await expect.poll(() => unreadableElements(page), screen).toEqual([]);
        await expectAccessible(page, `${screen} of ${email}`);
        // Polls, because a chart gets the width of its panel only after the layout.
        const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme });
          await expect.poll(beyond, `${screen}, ${colorScheme}`).toBeLessThanOrEqual(0);
        }
      }
    }
  });

test('the readability check finds overlapping texts, truncated texts and rows in a scroll box (53.10)', async ({
  page,
}) => {
  await page.setContent(`<main>
    <p>Leesbaar</p>
    <div style="position: relative; height: 2rem"><span style="position: absolute">Accu 1</span><span style="position: absolute">97%</span></div>
    <div style="overflow: hidden; width: 4rem; white-space: nowrap">Afgesneden woorden</div>
    <div style="overflow: hidden; width: 4rem; white-space: nowrap; text-overflow: ellipsis">Woorden met puntjes</div>
    <div style="overflow: hidden; height: 1.5rem"><p style="margin: 0; line-height: 1.5rem">Kaart</p><p style="text-overflow: ellipsis">Onder de rand</p></div>
    <input style="width: 2rem" value="05:30" />
    <div style="overflow: auto; height: 2rem"><table><tr><td>Een</td></tr><tr><td>Twee</td></tr><tr><td>Drie</td></tr></table></div>
  </main>`);
  expect(await unreadableElements(page)).toEqual([
    "cut: 'Afgesneden woorden' by div.",
    "cut: 'Onder de rand' by div.",
    "over each other: 'Accu 1' and '97%'",
    "cut: '05:30' in its field",
    'rows in a scroll box: div.',
  ]);
});

test('the readability check finds controls and texts under a fixed or sticky panel (53.25)', async ({
  page,
}) => {
  await page.setContent(`<main style="height: 3000px; position: relative">
    <header style="position: sticky; top: 0; height: 3rem; background: white"><button>Kop</button></header>
    <button style="position: absolute; top: 1500px">Vrij</button>
    <p style="position: absolute; top: 1000px">Leesbaar</p>
    <button style="position: absolute; bottom: 8px">Onderaan</button>
    <p style="position: absolute; bottom: 8px; left: 200px; margin: 0">Onder de balk</p>
    <button style="position: absolute; top: 600px; left: 20px">Bedekt</button>
    <div style="position: absolute; top: 590px; left: 0; width: 200px; height: 60px; z-index: 1"></div>
    <footer style="position: fixed; bottom: 0; left: 0; right: 0; height: 60px; background: white">Balk</footer>
  </main>`);
  expect(await unreadableElements(page)).toEqual([
    "covered: button 'Onderaan' by footer 'Balk'",
    "covered: button 'Bedekt' by div ''",
    "covered: 'Onderaan' by footer 'Balk'",
    "covered: 'Onder de balk' by footer 'Balk'",
  ]);
});
