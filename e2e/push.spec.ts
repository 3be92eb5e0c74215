import type { BrowserContext, Page, Worker } from '@playwright/test';
import { findBrowser } from '#scripts/browser.ts';
import {
  PUSH_PROCESS_ARGUMENTS,
  type PushService,
  startPushService,
  type TestDevice,
} from '#server/push/test/push-service.ts';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import {
  test as base,
  E2ePortal,
  expect,
  expectAccessible,
  PASSWORD,
  signIn,
  signInByApi,
  UNREACHABLE_MESSAGES,
} from './fixtures.ts';

type World = { readonly portal: E2ePortal; readonly service: PushService };
const test = base.extend<object, { world: World }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures it depends on here.
    async ({}, use) => {
      const service = await startPushService();
      const portal = await E2ePortal.start({ PUSH_SERVICE: service.origin }, PUSH_PROCESS_ARGUMENTS);
      await use({ portal, service });
      await portal.close();
      await service.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: ({ world }, use) => use(world.portal.address),
});

// Uses the complete Chromium, because Chromium's headless shell shows no notifications.
const { executablePath, args } = await findBrowser();
test.use({ serviceWorkers: 'allow', launchOptions: { executablePath, args: [...args] } });
test.beforeEach(({ expectConsole }) => {
  expectConsole(/cross-world service worker resource mismatch|was preloaded using link preload/);
  // The browser logs calls that fail because a test leaves the page, and calls that are refused for lack of re-authentication.
  expectConsole(UNREACHABLE_MESSAGES);
});

/**
 * Replaces the browser's push service with that of the tests, and grants the permission for notifications, because a browser under test has
 * neither a push service nor a person. The subscription is in localStorage, so that Clear-Site-Data removes it like a real one.
 */
async function pushingBrowser(context: BrowserContext, service: PushService) {
  const devices: TestDevice[] = [];
  let asked = 0;
  await context.exposeFunction('subscribeThere', () => {
    const device = service.device();
    devices.push(device);
    return device.subscription;
  });
  await context.exposeFunction('answerYes', async () => {
    asked += 1;
    await context.grantPermissions(['notifications']);
    await context.addInitScript(() =>
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' }),
    );
  });
  await context.addInitScript(() => {
    const browser = window as unknown as {
      subscribeThere(): Promise<object>;
      answerYes(): Promise<void>;
    };
    let permission: NotificationPermission = 'default';
    Object.defineProperty(Notification, 'permission', { configurable: true, get: () => permission });
    Notification.requestPermission = async () => {
      await browser.answerYes();
      permission = 'granted';
      return permission;
    };
    const KEPT = 'the browser’s own subscription';
    const subscription = () => {
      const text = localStorage.getItem(KEPT);
      if (text === null) return null;
      const unsubscribe = async () => {
        localStorage.removeItem(KEPT);
        return true;
      };
      return { toJSON: () => JSON.parse(text), unsubscribe } as PushSubscription;
    };
    PushManager.prototype.getSubscription = async () => subscription();
    PushManager.prototype.subscribe = async () => {
      localStorage.setItem(KEPT, JSON.stringify(await browser.subscribeThere()));
      return subscription() as PushSubscription;
    };
  });
  return { devices, asked: () => asked };
}

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1';
const panel = (page: Page) => page.getByRole('region', { name: 'Meldingen op dit apparaat' });
const theSwitch = (page: Page) => page.getByRole('switch', { name: 'Meldingen op dit apparaat' });

async function switchOn(page: Page): Promise<void> {
  await page.goto('/account/');
  await expect(theSwitch(page)).not.toBeChecked();
  // Switching on waits for the service worker, which takes long on a busy machine.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  // Switches on by keyboard.
  await theSwitch(page).press('Enter');
  await expect(theSwitch(page)).toBeChecked();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/signin/);
}

/** Returns the push endpoints of a person. */
async function endpointsOf(portal: E2ePortal, email: string): Promise<string[]> {
  const { pool } = await portal.database();
  const { rows } = await pool.query<{ endpoint: string }>(
    `select endpoint from push_subscription p join session s on s.id = p.session_id join account a on a.id = s.account_id
     where a.email = $1`,
    [email],
  );
  return rows.map(({ endpoint }) => endpoint);
}

const subscribed = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return Boolean(await registration?.pushManager.getSubscription());
  });

/** The members of the service worker's global scope that these tests use. */
type ServiceWorkerScope = {
  readonly registration: {
    readonly pushManager: { subscribe: () => Promise<object> };
    getNotifications(filter: object): Promise<Notification[]>;
  };
  readonly ExtendableEvent: new (type: string) => Event;
  readonly NotificationEvent: new (type: string, init: object) => Event;
  dispatchEvent(event: Event): void;
};

/** Returns the service worker once it has stored the pages. */
async function workerOf(context: BrowserContext, page: Page): Promise<Worker> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const [worker] = context.serviceWorkers();
  return worker ?? context.waitForEvent('serviceworker');
}

test('a person switches notifications on for a device, receives one, and switches that device off from another device (16.5k) @long', async ({
  page,
  context,
  browser,
  world: { portal, service },
}) => {
  const { email } = await portal.fleet();
  const { devices, asked } = await pushingBrowser(context, service);
  const phone = await browser.newContext({ baseURL: portal.address, userAgent: PHONE });
  await signInByApi(await phone.newPage(), email);
  const data = service.device().subscription;
  await phone.request.post('/api/push/subscribe', { data, headers: SCRIPT_HEADERS });
  await signInByApi(page, email);
  await page.goto('/account/');
  await expect(panel(page).getByText('Uit', { exact: true })).toBeVisible();
  expect(asked()).toBe(0);
  await switchOn(page);
  await expect(panel(page).getByRole('status')).toHaveText(
    'Je krijgt meldingen op dit apparaat, zolang je hier bent ingelogd.',
  );
  await expectAccessible(page, 'Meldingen op dit apparaat');
  await panel(page).getByRole('button', { name: 'Stuur een proefmelding' }).click();
  await expect(panel(page).getByRole('status')).toHaveText('De proefmelding is verstuurd.');
  const device = devices.at(-1)!;
  const pushed = service.taken.find(({ path }) => path === device.path);
  expect(JSON.parse(device.read(pushed!))).toMatchObject({ title: 'Proefmelding', path: '/account' });

  service.behave(device, { status: 500 });
  await panel(page).getByRole('button', { name: 'Stuur een proefmelding' }).click();
  await expect(panel(page).getByRole('alert').last()).toHaveText(/neemt nu niets aan/);
  await expect(panel(page).getByText('de laatste kwam niet aan')).toBeVisible();
  await page.reload();
  await expect(theSwitch(page)).toBeChecked();

  const rows = panel(page).getByRole('listitem');
  await expect(rows).toHaveText([/Dit apparaat/, /Safari op iPhone/]);
  await rows
    .last()
    .getByRole('button', { name: /^Zet uit: meldingen op Safari op iPhone/ })
    .click();
  await expect(panel(page).getByRole('status')).toHaveText('Je krijgt geen meldingen meer op dat apparaat.');
  await expect(rows).toHaveCount(1);
  await phone.close();
  await theSwitch(page).click();
  await expect(panel(page).getByRole('status')).toHaveText('Je krijgt geen meldingen meer op dit apparaat.');
  await expect(theSwitch(page)).not.toBeChecked();
  expect(await endpointsOf(portal, email)).toEqual([]);
  expect(asked()).toBe(1);
});

test('signing out ends notifications in the browser, and only the same person gets them again after signing in (16.5l) @long', async ({
  page,
  context,
  world: { portal, service },
}) => {
  const { email, colleague } = await portal.fleet();
  const { asked } = await pushingBrowser(context, service);
  await signIn(page, email);
  await switchOn(page);
  const [first] = await endpointsOf(portal, email);

  // Renews the push subscription, as browsers do now and then.
  const renewed = service.device().subscription;
  const worker = await workerOf(context, page);
  await worker.evaluate(async (subscription) => {
    const scope = self as unknown as ServiceWorkerScope;
    scope.registration.pushManager.subscribe = async () => ({ toJSON: () => subscription });
    scope.dispatchEvent(new scope.ExtendableEvent('pushsubscriptionchange'));
  }, renewed);
  await expect.poll(() => endpointsOf(portal, email)).toEqual([renewed.endpoint]);

  await signOut(page);
  expect(await endpointsOf(portal, email)).toEqual([]);
  await expect.poll(() => subscribed(page)).toBe(false);
  // Only the hash of the subscription's owner stays in the browser.
  expect(await page.evaluate(() => Object.values(localStorage))).toEqual([
    expect.stringMatching(/^[\da-f]{64}$/),
  ]);

  const other = await colleague('user');
  await signIn(page, other);
  await workerOf(context, page);
  await page.goto('/account/');
  await expect(theSwitch(page)).not.toBeChecked();
  await signOut(page);

  // The page stays loaded after the sign-out.
  await page.getByLabel('E-mailadres').fill(email);
  await page.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Inloggen', exact: true }).click();
  await expect
    .poll(() => endpointsOf(portal, email), { timeout: 60_000 })
    .toEqual([expect.not.stringContaining(first as string)]);
  expect(await endpointsOf(portal, other)).toEqual([]);
  expect(asked()).toBe(1);
});

test('a pushed notification is shown, and a press on it opens its page in the open window (16.5i, 16.5j) @long', async ({
  page,
  context,
  world: { portal, service },
}) => {
  const { email } = await portal.fleet();
  const { devices } = await pushingBrowser(context, service);
  await signIn(page, email);
  await switchOn(page);
  const worker = await workerOf(context, page);
  test.skip(
    !(await worker.evaluate(() => Notification.permission === 'granted')),
    'It shows no notifications.',
  );
  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [found] }) => {
      if (found) resolve(found.registrationId);
    }),
  );
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered;
  const deliver = (data: string) =>
    devtools.send('ServiceWorker.deliverPushMessage', { origin: portal.address, registrationId, data });
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      const notifications = (await registration?.getNotifications()) ?? [];
      return notifications.map(({ title, body, tag }) => ({ title, body, tag }));
    });

  await panel(page).getByRole('button', { name: 'Stuur een proefmelding' }).click();
  const device = devices.at(-1)!;
  const pushed = () => service.taken.find(({ path }) => path === device.path);
  await expect.poll(pushed).toBeDefined();
  await deliver(device.read(pushed()!));
  const PROOF = { title: 'Proefmelding', body: 'Zo komen meldingen op dit apparaat binnen.', tag: 'test' };
  await expect.poll(shown).toEqual([PROOF]);
  await deliver('unreadable');
  await expect
    .poll(shown)
    .toEqual(expect.arrayContaining([PROOF, expect.objectContaining({ title: 'Melding van het portaal' })]));

  await page.goto('/overzicht');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const loads = await page.evaluate(() => performance.timeOrigin);
  await worker.evaluate(async () => {
    const scope = self as unknown as ServiceWorkerScope;
    const [notification] = await scope.registration.getNotifications({ tag: 'test' });
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
  });
  await expect(page).toHaveURL('/account');
  // The press has not reloaded the page, because a reload would lose typed values.
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loads);
  await expect.poll(async () => (await shown()).length).toBe(1);

  // After the session was ended by a call, the next page that loads removes the shown notifications.
  await page.request.post('/api/auth/logout', { headers: SCRIPT_HEADERS });
  await page.goto('/');
  await expect(page).toHaveURL(/signin/);
  await expect.poll(shown).toEqual([]);
  expect(await subscribed(page)).toBe(false);
});
