import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Page } from '@playwright/test';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import {
  type E2ePortal,
  expect,
  expectAccessible,
  type Fleet,
  signIn,
  signInByApi,
  test,
} from './fixtures.ts';

const HERE = { LATITUDE: 52.1, LONGITUDE: 5.3, Soc1: 80 };

type Made = {
  readonly kind: string;
  readonly words: string;
  readonly serial: string | null;
  readonly isUrgent?: boolean;
  /** Minutes since the alert resolved. */
  readonly over?: number;
  readonly isWithdrawn?: boolean;
};

/** Stores alerts that began an hour ago, of rules that notify beheerders. @returns their ids */
async function store(portal: E2ePortal, { organization }: Fleet, alerts: readonly Made[]): Promise<string[]> {
  const { pool } = await portal.database();
  const ids: string[] = [];
  for (const { kind, words, serial, isUrgent = false, over, isWithdrawn = false } of alerts) {
    const { rows } = await pool.query<{ id: string }>(
      `with rule as (
         insert into alert_rule (organization_id, name, kind, settings, hours, machines, severity, roles, tells_end, is_on, valid_from)
         select id, 'Regel ' || $2, $2, '{}', 'always', 'all', $5, '{beheerder}', false, false, now() from organization where name = $1
         returning id, organization_id)
       insert into alert (rule_id, version, organization_id, stream_id, kind, severity, words, since, at, until, withdrawn_at, is_news, made_at)
       select rule.id, 1, organization_id, (select id from stream where serial = $3), $2, $5, $4, now() - interval '1 hour',
         now() - interval '50 minutes', now() - $6 * interval '1 minute', case when $7 then now() end, true, now() from rule
       returning id::text`,
      [organization.name, kind, serial, words, isUrgent ? 'urgent' : 'notice', over ?? null, isWithdrawn],
    );
    ids.push(rows[0]?.id as string);
  }
  return ids;
}

const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Meldingen/ });
const openList = (page: Page) => page.getByRole('list', { name: /^Open meldingen/ });

test('the bell counts open alerts, the list shows what to do, and a manager takes one alert and mutes another (16.8a, 16.8b, 16.8c, 16.8d, 16.8g)', async ({
  page,
  portal,
}) => {
  const fleet = await portal.fleet('manager');
  const rups = await fleet.machine({ alias: 'Rups' });
  await rups.report(HERE);
  const [, , , gone] = await store(portal, fleet, [
    { kind: 'moved', words: '300 m verplaatst', serial: rups.serial, isUrgent: true },
    { kind: 'packs-apart', words: 'accu’s verschillen 14 punten', serial: rups.serial },
    { kind: 'silent', words: '9 van de 14 machines tegelijk stil', serial: null },
    { kind: 'low', words: 'accu 1 op 12%', serial: rups.serial, over: 5, isWithdrawn: true },
  ]);
  await signIn(page, fleet.email);
  await expect(bell(page)).toHaveAccessibleName('Meldingen: 3 open, 3 nieuw. Rups: 300 m verplaatst');

  // Opens the list by keyboard.
  await bell(page).focus();
  await page.keyboard.press('Enter');
  const cards = openList(page).getByRole('listitem');
  await expect(cards.getByRole('heading')).toHaveText([
    'Bewoog buiten werktijd: Rups',
    'Logger stil',
    'Accu’s lopen uiteen: Rups',
  ]);
  await expect(cards.first()).toContainText('300 m verplaatst, om');
  await expect(cards.first()).toContainText('Dringend');
  await expect(cards.first()).toContainText('bel wie er toezicht heeft');
  await expect(cards.nth(2)).toContainText('Melding');
  // Alerts on the screen count as seen, but stay marked as new until the page is left.
  await expect(bell(page)).toHaveAccessibleName(/^Meldingen: 3 open, 1 nieuw/);
  await cards.nth(2).scrollIntoViewIfNeeded();
  await expect(bell(page)).toHaveAccessibleName(/^Meldingen: 3 open(?:\.|$)/);
  await expect(cards.first()).toContainText('Nieuw');
  await expectAccessible(page, 'open alerts');

  await cards
    .first()
    .getByRole('button', { name: /^Ik pak dit op/ })
    .click();
  await expect(cards.first()).toContainText(`${fleet.email} pakt dit op`);
  await cards
    .first()
    .getByRole('button', { name: /^Toch niet/ })
    .click();
  await expect(cards.first()).not.toContainText('pakt dit op');

  await cards
    .nth(2)
    .getByRole('button', { name: /^Dempen/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Dempen' });
  await dialog.getByLabel('De regel ‘Regel packs-apart’').check();
  await dialog.getByLabel('Altijd').check();
  await dialog.getByRole('button', { name: 'Dempen' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'hoort hier niets meer van' })).toBeVisible();
  await expect(dialog).toHaveCount(0);

  await page.getByRole('button', { name: 'Voorbij' }).click();
  await expect(page.getByRole('list', { name: /voorbij/ }).getByRole('listitem')).toHaveText([
    /Bleek niet zo/,
  ]);
  // The link in a notification also opens an alert that has resolved.
  await page.goto(`/meldingen?melding=${gone}`);
  const linked = page.getByRole('list', { name: 'De melding van je link' }).getByRole('listitem');
  await expect(linked).toContainText('Accu laag: Rups');
  await expect(linked.getByRole('heading')).toBeFocused();

  await page.goto('/account#meldingen');
  const muted = page.getByRole('list', { name: 'Gedempt' });
  await expect(muted).toContainText('Regel ‘Regel packs-apart’');
  await muted.getByRole('button', { name: /^Niet meer dempen/ }).click();
  await expect(page.getByText('Je hebt niets gedempt.')).toBeVisible();
});

test('a manager switches on an offered rule, makes another in the form, and chooses how to be notified (16.8e, 16.8f, 16.8h) @long', async ({
  page,
  portal,
}) => {
  const fleet = await portal.fleet('manager');
  const rups = await fleet.machine({ alias: 'Rups' });
  await rups.report(HERE);
  await signInByApi(page, fleet.email);
  await page.goto('/meldingen');
  await expect(page.getByText('Er is nu niets')).toBeVisible();
  await page.getByRole('link', { name: 'Bekijk de regels' }).click();

  const organization = page.getByRole('region', { name: `Van ${fleet.organization.clean}` });
  await organization.getByRole('switch', { name: 'Logger stil aanzetten' }).click();
  await expect(organization.getByRole('switch', { name: 'Logger stil aan', exact: true })).toBeChecked();
  await expect(organization.getByRole('switch', { name: 'Logger stil aanzetten' })).toHaveCount(0);

  await organization.getByRole('button', { name: 'Nieuwe regel' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nieuwe regel' });
  await dialog.getByLabel('Machines', { exact: true }).selectOption('Zelf gekozen');
  await dialog.getByLabel('Voorbij vanaf').fill('10');
  await dialog.getByRole('button', { name: 'Opslaan en aanzetten' }).click();
  await expect(dialog.getByText('Voorbij vanaf mag niet onder de grens liggen.')).toBeVisible();
  await expect(dialog.getByText('Kies minstens één machine.')).toBeVisible();
  await expect(dialog.getByLabel('Voorbij vanaf')).toBeFocused();
  await expectAccessible(page, 'the form of a rule');
  await dialog.getByLabel('Voorbij vanaf').fill('30,5');
  await dialog.getByRole('button', { name: /Kies machines/ }).click();
  await dialog.getByLabel(`Rups (#${rups.serial})`).check();
  await dialog.getByRole('button', { name: 'Opslaan en aanzetten' }).click();
  await expect(dialog).toHaveCount(0);
  const card = organization.getByRole('listitem').filter({ hasText: 'Accu laag' });
  await expect(card).toContainText('Meld het als een accu van Rups 2 minuten achter elkaar onder 20% is');
  await expect(card).toContainText('De melding sluit zodra elke accu 2 minuten op 30,5% of hoger is.');
  await expect(card).toContainText('Melding voor alle beheerders');

  await card.getByRole('switch').click();
  await expect(card.getByRole('switch')).not.toBeChecked();
  await card.getByRole('button', { name: /^Verwijder/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  await expect(organization.getByRole('switch', { name: 'Accu laag aanzetten' })).toBeVisible();
  await expectAccessible(page, 'rules');

  await page.goto('/account');
  const panel = page.getByRole('region', { name: 'Hoe je meldingen krijgt' });
  await expect(panel.getByLabel('Stil van')).toHaveValue('21:00');
  await panel.getByLabel('Op mijn apparaten').uncheck();
  await panel.getByLabel('Stil van').fill('19:00');
  await panel.getByRole('button', { name: 'Bewaar' }).click();
  await expect(panel.getByRole('status').filter({ hasText: 'Bewaard.' })).toBeVisible();
  await page.reload();
  await expect(panel.getByLabel('Stil van')).toHaveValue('19:00');
  await expect(panel.getByLabel('Op mijn apparaten')).not.toBeChecked();
});

test("open alerts are shown in the overview, the popup, the machine page and its chart, and a list that fails to load shows the server's message (16.8a, 16.8i) @long", async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/status of 500/);
  const fleet = await portal.fleet('user');
  const rups = await fleet.machine({ alias: 'Rups' });
  await rups.report({ ...HERE, GMT_UNIX: Math.floor(Date.now() / 1000) - 4000 });
  await rups.report(HERE);
  await store(portal, fleet, [{ kind: 'speeding', words: 'reed 43 km/u', serial: rups.serial }]);
  await signInByApi(page, fleet.email);
  await page.goto('/overzicht?staat=aandacht');
  await expect(page.getByRole('row', { name: /Rups/ })).toContainText('Reed 43 km/u');
  // The bell counts no new alert for this user, because the rule does not notify people with the role gebruiker.
  await expect(bell(page)).toHaveAccessibleName('Meldingen: 1 open');

  await page.goto(`/?machine=${rups.serial}`);
  await expect(page.getByRole('list', { name: 'Open meldingen' })).toContainText('Spreek de machinist aan.');
  await page.goto(`/machine/${rups.serial}`);
  await expect(page.getByRole('list', { name: 'Open meldingen' })).toContainText('Spreek de machinist aan.');
  const marks = page.getByRole('list', { name: 'Meldingen in deze periode' });
  await expect(marks.getByRole('link')).toHaveText([/Snelheid boven/]);
  await expectAccessible(page, 'a machine with an alert');
  await marks.getByRole('link').click();
  await expect(openList(page).getByRole('heading')).toBeFocused();

  await page.route('**/api/alert/get*', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'Het lukt even niet.' } }),
  );
  await page.getByRole('button', { name: 'Voorbij' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Het lukt even niet.' })).toBeVisible();
});

test("a rule made in the form raises an alert for a machine's readings, and the bell counts it (16.8j) @long", async ({
  page,
  portal,
}) => {
  const fleet = await portal.fleet('manager');
  const rups = await fleet.machine({ alias: 'Rups' });
  await rups.report(HERE);
  await signInByApi(page, fleet.email);
  await page.goto('/meldingen/regels');
  await page.getByRole('button', { name: 'Aanpassen: Accu laag' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Zo lang achtereen').fill('0');
  await dialog.getByRole('button', { name: 'Opslaan en aanzetten' }).click();
  await expect(dialog).toHaveCount(0);
  for (let n = 0; n < 3; n += 1) {
    await rups.report({ ...HERE, Soc1: 12 });
    await page.waitForTimeout(1_500);
  }
  await expect(bell(page)).toHaveAccessibleName('Meldingen: 1 open, 1 nieuw', { timeout: 120_000 });
  await bell(page).click();
  await expect(openList(page).getByRole('listitem')).toContainText('Accu laag: Rups');
  await expect(openList(page).getByRole('listitem')).toContainText('12%');
});

test('the form previews how often a rule would have fired, and a person makes a rule within a minute (16.2e, 16.2f) @long', async ({
  page,
  portal,
}) => {
  const fleet = await portal.fleet('manager');
  const rups = await fleet.machine({ alias: 'Rups' });
  const hourAgo = Math.floor(Date.now() / 1000) - 3_600;
  for (const seconds of [0, 60, 120, 180, 240])
    await rups.report({ ...HERE, Soc1: 12, GMT_UNIX: hourAgo + seconds });
  await signIn(page, fleet.email);
  const { _id } = await (
    await page.request.post('/api/project/create', {
      data: {
        projectName: 'Sluis',
        firstDay: '2026-01-01',
        lastDay: null,
        areas: [{ centre: { lat: HERE.LATITUDE, lon: HERE.LONGITUDE }, radiusMetres: 100 }],
      },
      headers: SCRIPT_HEADERS,
    })
  ).json();
  expect(_id).toEqual(expect.any(Number));

  const begun = Date.now();
  await bell(page).click();
  await page.getByRole('link', { name: 'Bekijk de regels' }).click();
  const ready = page.getByRole('list', { name: `Klaar om aan te zetten: Van ${fleet.organization.clean}` });
  await expect(ready.getByRole('listitem').filter({ hasText: 'Snelheid boven' })).toContainText(
    'Zou de laatste 30 dagen 0 keer zijn afgegaan.',
  );
  await page.getByRole('button', { name: 'Aanpassen: Accu laag' }).click();
  const dialog = page.getByRole('dialog');
  const preview = dialog.getByRole('region', { name: 'Hoe vaak dat gebeurt' });
  await expect(preview).toContainText('Zou de laatste 30 dagen 1 keer zijn afgegaan.');
  await preview.getByText('Wanneer').click();
  await expect(preview.getByRole('listitem')).toHaveText(/^Rups: accu op 12%, sinds /);
  await dialog.getByLabel('Onder', { exact: true }).fill('x');
  await expect(preview).toContainText('Vul de regel in');
  await dialog.getByLabel('Onder', { exact: true }).fill('12');
  await expect(preview).toContainText('Zou de laatste 30 dagen 0 keer zijn afgegaan.');
  await expectAccessible(page, 'a rule with its preview');
  await dialog.getByRole('button', { name: 'Annuleren' }).click();

  await page.getByRole('button', { name: 'Aanpassen: Niet vol bij begin van de dienst' }).click();
  await dialog.getByLabel('Machines', { exact: true }).selectOption('Op een project');
  await dialog.getByRole('button', { name: /Kies projecten/ }).click();
  await dialog.getByLabel('Sluis').check();
  await expect(preview).toContainText('Zou de laatste 30 dagen');
  await dialog.getByRole('button', { name: 'Opslaan en aanzetten' }).click();
  await expect(
    page.getByRole('listitem').filter({ hasText: 'een machine op project Sluis' }).getByRole('switch'),
  ).toBeChecked();
  expect(Date.now() - begun).toBeLessThan(60_000);
});

test('an administrator switches on a rule about the portal itself and gets an alert about an unknown logger (16.1y, 55.30) @long', async ({
  page,
  portal,
}) => {
  const { email } = await portal.fleet('admin');
  await signInByApi(page, email);
  await page.goto('/meldingen/regels');
  const rules = page.getByRole('region', { name: 'Van het portaal zelf' });
  await rules.getByRole('button', { name: 'Aanpassen: Configuratie draait niet' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nieuwe regel' });
  await expect(dialog.getByLabel('Alle administrators')).toBeChecked();
  await expect(dialog.getByRole('combobox')).toHaveCount(2);
  await expectAccessible(page, 'the form of a rule of the portal itself');
  await page.keyboard.press('Escape');
  await rules.getByRole('switch', { name: 'Configuratie draait niet aanzetten' }).click();
  await expect(
    rules.getByRole('switch', { name: 'Configuratie draait niet aan', exact: true }),
  ).toBeChecked();
  const rule = rules.getByRole('listitem').filter({ hasText: 'onbekende logger 3 keer' });
  await expect(rule.getByRole('switch', { name: 'Onbekende logger aan', exact: true })).toBeChecked();
  await expect(rule).toContainText('Melding voor alle administrators');
  await expect(
    rules.getByRole('listitem').filter({ hasText: 'Dringend voor alle administrators' }),
  ).toHaveCount(2);
  await expectAccessible(page, 'rules of an administrator');

  const client = new S3Client({
    endpoint: portal.address,
    region: 'eu-central-1',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: 'WSVREEMD', secretAccessKey: 'x' },
  });
  const upload = new PutObjectCommand({ Bucket: 'telemetry', Key: 'E2E_SN1/snapshot.json', Body: '{}' });
  for (let n = 0; n < 3; n += 1)
    await expect(client.send(upload)).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidAccessKeyId' }),
    );
  // Turns off alerts about this computer's disk and about failing mails, which would change the count. Makes the timer's evaluations
  // begin an hour ago, because they open alerts only after they have run for 10 minutes.
  const { pool } = await portal.database();
  await pool.query(`update alert_rule set is_on = false where kind in ('disk', 'mail-failing')`);
  await pool.query(
    `insert into alert_clock (looked_at, since) values (now(), now() - interval '1 hour')
     on conflict (id) do update set since = now() - interval '1 hour'`,
  );
  await expect(bell(page)).toHaveAccessibleName(/^Meldingen: \d+ open, 1 nieuw/, { timeout: 120_000 });
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await page.goto('/meldingen');
    const card = openList(page).getByRole('listitem').filter({ hasText: 'WSVREEMD' });
    await expect(card.getByRole('heading')).toHaveText('Onbekende logger: WSVREEMD');
    await expect(card).toContainText('3 keer geweigerd, sinds');
    await expect(card).toContainText('Zoek uit welke logger het is');
    await expectAccessible(page, `alerts at ${size.width}`);
  }
});
