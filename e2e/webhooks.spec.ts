import { Webhook as Verifier } from 'standardwebhooks';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { type Received, type Receiver, startReceiver } from '#server/webhooks/test/receiver.ts';
import {
  test as base,
  E2ePortal,
  expect,
  expectAccessible,
  expireReauthentication,
  PASSWORD,
  signInByApi,
} from './fixtures.ts';

/** A portal, and a receiver on this computer to which the portal may send webhook messages. */
type World = { readonly portal: E2ePortal; readonly receiver: Receiver; urlOf(path: string): string };
const test = base.extend<object, { world: World }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures it depends on here.
    async ({}, use) => {
      const receiver = await startReceiver(false);
      const portal = await E2ePortal.start({ OUTBOUND_ALLOW_WEBHOOKS: `http://localhost:${receiver.port}` });
      await use({ portal, receiver, urlOf: (path) => `http://localhost:${receiver.port}${path}` });
      await portal.close();
      await receiver.close();
    },
    { scope: 'worker', timeout: 200_000 },
  ],
  baseURL: ({ world }, use) => use(world.portal.address),
});

test('a beheerder makes a webhook, copies its secret, sends a test, reads the delivery, and sends it again (16.5u) @long', async ({
  page,
  world,
  expectConsole,
}) => {
  expectConsole(/40[03]/);
  const { portal, receiver, urlOf } = world;
  const { email, organization } = await portal.fleet('manager');
  const path = `/${organization.name}?sleutel=1`;
  const received = () => receiver.at(path);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInByApi(page, email);
  await expireReauthentication(page, portal, email);
  await page.goto(`/organization/${organization.name}`);
  await page.getByRole('link', { name: 'Webhooks instellen' }).click();
  await expect(page.getByText('Nog geen webhooks')).toBeVisible();
  await expect(page.getByText(organization.clean)).toBeVisible();

  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Nieuwe webhook' }).press('Enter');
  await page.keyboard.type('Planning');
  await page.keyboard.press('Tab');
  await page.keyboard.type('bedrijf.nl');
  await page.keyboard.press('Enter');
  // Adding a webhook needs re-authentication, because the webhook's address receives data of the machines.
  const proof = page.getByRole('dialog', { name: 'Bevestig dat jij het bent' });
  await expect(proof.getByLabel('Wachtwoord', { exact: true })).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(proof).toHaveCount(0);
  await expect(dialog.getByText('Adres is geen adres, zoals https://bedrijf.nl/meldingen.')).toBeVisible();
  await expect(dialog.getByLabel('Adres')).toBeFocused();
  await dialog.getByLabel('Adres').fill(urlOf(path));
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('heading')).toHaveText('Het geheim van Planning');
  await dialog.getByRole('button', { name: 'Kopieer het geheim' }).press('Enter');
  await expect(dialog.getByText('Gekopieerd.')).toBeAttached();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  await expect(dialog.getByText(secret)).toBeVisible();
  await dialog.getByRole('button', { name: 'Klaar' }).press('Enter');
  await expect(page.getByText(secret)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Nieuwe webhook' })).toBeFocused();

  const card = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem');
  await expect(card).toContainText('Nog niets aangekomen');
  receiver.answers = { ...receiver.answers, [path]: 500 };
  await card.getByRole('button', { name: 'Stuur een proef naar Planning' }).press('Enter');
  await expect(card.getByRole('status')).toHaveText('Proefbericht: mislukt (500), wordt opnieuw geprobeerd');
  await expect(card).toContainText(/Mislukt sinds \d{2}-\d{2}-\d{2}, \d{2}:\d{2}/);
  const { headers, body } = received()[0] as Received;
  const message = new Verifier(secret).verify(body, headers as Record<string, string>);
  expect(message).toMatchObject({ type: 'test', data: { message: 'Proefbericht van Werkstroom.' } });

  const sent = page.getByRole('list', { name: 'Verstuurd' }).getByRole('listitem');
  await sent.locator('summary').press('Enter');
  await expect(sent.locator('pre')).toHaveText(body);
  await expect(sent.locator('dl')).toContainText('Volgende poging');
  await expect(sent.locator('dl')).toContainText(String(headers['webhook-id']));
  await expectAccessible(page, 'webhooks, with a message open');
  receiver.answers = { ...receiver.answers, [path]: 204 };
  await sent.getByRole('button', { name: 'Stuur opnieuw' }).press('Enter');
  await expect(sent.locator('summary')).toContainText('Aangekomen');
  await expect(card.getByRole('status')).toHaveText('Proefbericht: aangekomen');
  await expect(card).toContainText('Werkt, laatst aangekomen op');
  expect(received().map((one) => one.headers['webhook-id'])).toEqual(Array(2).fill(headers['webhook-id']));
});

test('a new secret asks for re-authentication, and disabling and deleting a webhook ask first, on a phone (16.5u) @long', async ({
  page,
  world,
  expectConsole,
}) => {
  expectConsole(/40[349]|50[03]/);
  await page.setViewportSize({ width: 390, height: 844 });
  const { portal, receiver, urlOf } = world;
  const { email, organization } = await portal.fleet('manager');
  const path = `/${organization.name}`;
  await signInByApi(page, email);
  const made = await page.request.post('/api/webhook/create', {
    data: { name: organization.name, webhookName: 'TMS', webhookUrl: urlOf(path) },
    headers: SCRIPT_HEADERS,
  });
  const { secret: former } = await made.json();

  // If the calls of the page fail, the page has a button to try again.
  const calls = '**/api/webhook/**';
  await page.route(calls, (route) => route.fulfill({ status: 500, json: { code: 'internal', message: '' } }));
  await page.goto(`/organization/${organization.name}/webhooks`);
  await expect(page.getByRole('button', { name: 'Opnieuw proberen' })).toBeVisible();
  await page.unroute(calls);
  await page.getByRole('button', { name: 'Opnieuw proberen' }).click();
  const card = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem');
  await expect(card).toContainText('Nog niets aangekomen');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await page.route('**/api/webhook/test', (route) => route.fulfill({ status: 503, body: '' }));
  await card.getByRole('button', { name: 'Stuur een proef naar TMS' }).click();
  await expect(card.getByRole('status')).not.toBeEmpty();
  await page.unroute('**/api/webhook/test');

  await expireReauthentication(page, portal, email);
  await page.reload();
  const dialog = page.getByRole('dialog');
  await card.getByRole('button', { name: 'Nieuw geheim voor TMS' }).click();
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await dialog.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Bevestig' }).click();
  await expect(page.getByRole('dialog', { name: 'Het geheim van TMS' })).toBeVisible();
  const secret = (await dialog.locator('code').textContent()) as string;
  expect(secret).not.toBe(former);
  await expectAccessible(page, 'a secret');
  await page.keyboard.press('Escape');
  await expect(card.getByRole('button', { name: 'Nieuw geheim voor TMS' })).toBeFocused();

  receiver.answers = { ...receiver.answers, [path]: 503 };
  await card.getByRole('button', { name: 'Stuur een proef naar TMS' }).click();
  await expect(card.getByRole('status')).toContainText('mislukt (503)');
  const { headers, body } = receiver.at(path)[0] as Received;
  new Verifier(secret).verify(body, headers as Record<string, string>);
  await card.getByRole('switch', { name: 'TMS aan' }).click();
  await expect(dialog).toContainText('Wat nog moet aankomen, wordt niet meer verstuurd: 1 bericht.');
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(card.getByRole('status')).toHaveText('Proefbericht: niet verstuurd (webhook uitgezet)');
  await expect(card.getByRole('switch', { name: 'TMS aan' })).not.toBeChecked();
  await expect(card.getByRole('button', { name: /^Stuur een proef/ })).toHaveCount(0);
  await page.locator('summary').click();
  await page.getByRole('button', { name: 'Stuur opnieuw' }).click();
  await expect(page.getByText('Deze webhook staat uit. Zet hem eerst aan.')).toBeVisible();

  await card.getByRole('button', { name: 'Verwijder TMS' }).click();
  await dialog.getByRole('button', { name: 'Nee' }).press('Enter');
  await card.getByRole('button', { name: 'Verwijder TMS' }).click();
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByText('Nog geen webhooks')).toBeVisible();
  await expect(page.getByText('De webhook is verwijderd.')).toBeVisible();
  await page.goto('/organization/bestaat-niet/webhooks');
  await expect(page.getByRole('link', { name: 'Naar de organisaties' })).toBeVisible();
});
