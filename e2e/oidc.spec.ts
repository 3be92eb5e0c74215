import type { Page } from '@playwright/test';
import { type IdentityProvider, startIdentityProvider } from '#server/oidc/test/identity-provider.ts';
import {
  test as base,
  E2ePortal,
  expect,
  expectAccessible,
  PASSWORD,
  signInByApi,
  waitForMailedLink,
} from './fixtures.ts';

/** A portal, and an identity provider on this computer to which the portal may send requests. */
type World = { readonly portal: E2ePortal; readonly provider: IdentityProvider };
const test = base.extend<object, { world: World }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures it depends on here.
    async ({}, use) => {
      const redirectUris: string[] = [];
      const provider = await startIdentityProvider(redirectUris);
      const portal = await E2ePortal.start({ OUTBOUND_ALLOW_OIDC: provider.issuer });
      for (let n = 1; n < 100; n++) redirectUris.push(`${portal.address}/api/auth/oidc/callback/klant-${n}`);
      provider.changeKeys();
      await use({ portal, provider });
      await portal.close();
      await provider.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: ({ world }, use) => use(world.portal.address),
});

/** Makes an organization. As an administrator, sets the organization's provider on its page. */
async function withProvider(page: Page, { portal, provider }: World, domain: string) {
  const fleet = await portal.fleet();
  const admin = await portal.fleet('admin');
  await signInByApi(page, admin.email);
  await page.goto(`/organization/${fleet.organization.name}`);
  const panel = page.getByRole('region', { name: 'Inloggen via de organisatie' });
  await expect(panel).toContainText(`/api/auth/oidc/callback/${fleet.organization.name}`);
  await panel.getByLabel('Adres van de inlogdienst').fill(provider.issuer);
  await panel.getByLabel('Domein').fill(domain);
  await panel.getByLabel('Client-id').fill('werkstroom');
  await panel.getByLabel('Client-geheim').fill('kanarie-clientgeheim-7391');
  await panel.getByRole('button', { name: 'Stel in' }).click();
  await expect(panel.getByRole('status').first()).toContainText('opgeslagen');
  return { fleet, panel };
}

/** Signs in on the provider's own page. */
async function atProvider(page: Page, who: string): Promise<void> {
  await page.getByLabel('Wie').fill(who);
  await page.getByRole('button', { name: 'Doorgaan' }).click();
}

test('an administrator sets a provider, and a new person signs in by it to the requested page (13.5j) @long', async ({
  page,
  world,
  browser,
}, { project }) => {
  const domain = `${project.name}.example`;
  const { fleet, panel } = await withProvider(page, world, domain);
  await expectAccessible(page, 'the settings with a provider');
  await fleet.machine({ alias: 'Rups van de klant' });
  await expect(panel).toContainText(`@${domain}`);

  const other = await browser.newPage({ baseURL: world.portal.address });
  world.provider.people.set(`anna-${project.name}`, { email: `anna@${domain}`, email_verified: true });
  await other.goto('/machine/');
  await expect(other).toHaveURL('/signin');
  await other.getByRole('button', { name: 'Log in via je organisatie' }).click();
  await expect(other.getByRole('alert').filter({ hasText: 'Vul eerst je e-mailadres in' })).toBeVisible();
  await expect(other.getByLabel('E-mailadres')).toBeFocused();
  await other.getByLabel('E-mailadres').fill(`anna@${domain}`);
  await other.getByRole('button', { name: 'Log in via je organisatie' }).press('Enter');
  await atProvider(other, `anna-${project.name}`);
  await expect(other).toHaveURL('/machine/');
  await expect(other.getByText('Rups van de klant')).toBeVisible();
  await other.goto('/account');
  await expect(other.getByText(`anna@${domain}`)).toBeVisible();
  await expect(other.getByText('Je account is gekoppeld')).toBeVisible();
  await expectAccessible(other, 'Mijn account, linked');
  await other.close();
});

test('a person with an account links it to the provider once, with the password or in Mijn account (13.5j) @long', async ({
  page,
  world,
  browser,
}, { project }) => {
  const domain = `eerder-${project.name}.example`;
  const { fleet } = await withProvider(page, world, domain);
  world.provider.people.set(`bas-${project.name}`, { email: fleet.email, email_verified: true });
  const other = await browser.newPage({ baseURL: world.portal.address });
  await other.goto('/signin');
  await other.getByLabel('E-mailadres').fill(`iemand@${domain}`);
  await other.getByRole('button', { name: 'Log in via je organisatie' }).click();
  await atProvider(other, `bas-${project.name}`);
  await expect(other.getByRole('heading', { name: 'Koppel je account' })).toBeFocused();
  await expect(other).toHaveURL('/signin');
  await expectAccessible(other, 'linking by the password');
  await other.getByLabel('Wachtwoord van je account').fill(PASSWORD);
  await other.getByRole('button', { name: 'Koppelen en inloggen' }).click();
  await expect(other).toHaveURL('/');
  await other.goto('/account');
  await other.getByRole('button', { name: 'Koppeling verbreken' }).click();
  await other.getByRole('button', { name: 'Ja' }).click();
  await other.getByRole('button', { name: 'Koppel mijn account' }).click();
  // The provider asks nothing, because the person is still signed in at the provider.
  await expect(other).toHaveURL('/account');
  await expect(other.getByRole('status').filter({ hasText: 'Je account is gekoppeld' })).toBeVisible();
  await other.close();
});

test("with 'Alleen zo inloggen' no password is asked, and a person who cancels at the provider gets a message (13.5j) @long", async ({
  page,
  world,
  browser,
}, { project }) => {
  const domain = `alleen-${project.name}.example`;
  const { panel } = await withProvider(page, world, domain);
  await panel.getByRole('switch', { name: 'Alleen zo inloggen' }).click();
  await page.getByRole('button', { name: 'Ja' }).click();
  await expect(panel.getByRole('switch', { name: 'Alleen zo inloggen' })).toBeChecked();

  const other = await browser.newPage({ baseURL: world.portal.address });
  await other.goto('/signin');
  await other.getByLabel('E-mailadres').fill(`cor@${domain}`);
  await expect(
    other.getByText('Je organisatie laat alleen inloggen met haar eigen account toe.'),
  ).toBeVisible();
  await expect(other.getByLabel('Wachtwoord', { exact: true })).toHaveCount(0);
  await expectAccessible(other, "signing in, 'alleen zo'");
  await other.getByLabel('E-mailadres').press('Enter');
  await other.getByRole('button', { name: 'Afbreken' }).click();
  await expect(other.getByRole('alert').filter({ hasText: 'afgebroken' })).toBeVisible();
  await expect(other).toHaveURL('/signin');
  await other.close();
});

test('an invitation is accepted through the provider by the invited person only (13.5m) @long', async ({
  page,
  world,
  browser,
}, { project, repeatEachIndex }) => {
  const domain = `genodigd-${project.name}-${repeatEachIndex}.example`;
  const { fleet, panel } = await withProvider(page, world, domain);
  const { alias, report } = await fleet.machine();
  await report({ LATITUDE: 52.1, LONGITUDE: 5.3, Soc1: 80 });
  const email = `dirk@${domain}`;
  world.provider.people.set(domain, { email, email_verified: true });
  world.provider.people.set('elders', { email: 'elders@buren.example', email_verified: true });
  await page.request.post('/api/invitation/create', {
    headers: { 'x-requested-with': 'test' },
    data: { email, role: 'kijker', organization: fleet.organization.name },
  });
  const link = await waitForMailedLink(world.portal, email, 'uitnodiging');

  const context = await browser.newContext({ baseURL: world.portal.address });
  const theirs = await context.newPage();
  await theirs.goto(link);
  const byOrganization = theirs.getByRole('button', { name: 'Log in via je organisatie' });
  await expect(theirs.getByLabel('Wachtwoord', { exact: true })).toBeVisible();
  await expectAccessible(theirs, 'an invitation, with a provider');
  await byOrganization.press('Enter');
  await atProvider(theirs, 'elders');
  await expect(theirs.getByRole('alert').filter({ hasText: 'onder een ander e-mailadres' })).toBeVisible();
  await expect(theirs.getByRole('heading', { name: `Welkom bij ${fleet.organization.clean}` })).toBeVisible();
  await expectAccessible(theirs, 'an invitation, back from the provider');

  await panel.getByRole('switch', { name: 'Alleen zo inloggen' }).click();
  await page.getByRole('button', { name: 'Ja' }).click();
  await expect(panel.getByRole('switch', { name: 'Alleen zo inloggen' })).toBeChecked();
  await theirs.reload();
  await expect(theirs.getByText('laat alleen inloggen met haar eigen account toe')).toBeVisible();
  await expect(theirs.getByLabel('Wachtwoord', { exact: true })).toHaveCount(0);
  await expectAccessible(theirs, "an invitation, 'alleen zo'");
  // Deletes the provider's cookies, so that the person is signed out at the provider.
  await context.clearCookies({ name: /^_/ });
  await byOrganization.press('Enter');
  await atProvider(theirs, domain);
  await expect(theirs).toHaveURL('/');
  await expect(theirs.getByRole('button', { name: new RegExp(`^${alias}, `) })).toBeVisible();
  await theirs.goto('/account');
  await expect(theirs.getByText('Je account is gekoppeld')).toBeVisible();
  await expect(theirs.getByText('kijker')).toBeVisible();
  await context.close();
});
