/**
 * The browser's web push subscription, which ends at sign-out (docs/decisions/0046). A hash of the e-mail address of the account
 * that switched push on stays in the browser's storage after the sign-out, so that push resumes if the same account signs in
 * again, but not for another account.
 */
import { callApi, UserMessageError } from '#web/lib/api.ts';

/** Storage key of the hash of the account that switched push on in this browser: the owner. */
const OWNER_KEY = 'pushOf';
/** Maximum wait for the service worker, which is ready once it has fetched all files of the build: long on a slow line. */
const WORKER_TIMEOUT_MS = 30_000;

/** Returns whether this browser can receive push. The service worker is registered only in browsers with caches and locks. */
export const supportsPush = (): boolean =>
  ['PushManager', 'Notification', 'caches'].every((name) => name in globalThis) &&
  'serviceWorker' in navigator &&
  'locks' in navigator;

/** Returns whether this browser has a subscription; the portal may have ended it already. */
export const isSubscribed = async (): Promise<boolean> => (await subscriptionHere()) !== undefined;

/**
 * Subscribes this browser. Call it from a click, because it asks for permission.
 * @returns the portal's message. Rejects with ApiError or UserMessageError
 */
export async function switchPushOn(email: string): Promise<string> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new UserMessageError('De browser mag geen meldingen tonen. Sta ze toe als hij het vraagt.');
  const registration = await readyWorker();
  return withLock(async () => {
    const message = await subscribe(registration);
    keepOwner(await markFor(email));
    return message;
  });
}

/** Ends the subscription. Rejects with ApiError, and then changes nothing. @param id the id of the device */
export async function switchPushOff(id: number): Promise<string> {
  const { message } = await callApi('POST /api/push/unsubscribe', { body: { id } });
  await withLock(async () => {
    keepOwner(undefined);
    await unsubscribe();
  });
  return message;
}

/**
 * Resumes push for an account that had it on in this browser, after a sign-in or when a page loads. Ends another account's
 * subscription, and one that was switched off from another device.
 * @param signal aborts when the user signs out
 */
export async function resumePush(email: string, signal: AbortSignal): Promise<void> {
  if (!supportsPush() || owner() === undefined) return;
  const isTheirs = owner() === (await markFor(email));
  if (!isTheirs) return withLock(unsubscribe);
  if (Notification.permission !== 'granted') return;
  const registration = await navigator.serviceWorker.ready;
  await withLock(async () => {
    if (signal.aborted) return;
    if (!(await isSubscribed())) return void (await subscribe(registration, signal));
    const { devices } = await callApi('GET /api/push/get', { signal });
    if (devices.some(({ isOwn }) => isOwn)) return;
    keepOwner(undefined);
    await unsubscribe();
  });
}

/** Ends the subscription and closes notifications that are still shown, when the session has ended. */
export async function endPush(): Promise<void> {
  if (!supportsPush()) return;
  await withLock(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
    await unsubscribe();
  });
}

/** Reads the owner's hash before a sign-out empties the browser's storage. @returns a function that stores it again */
export function preservePushOwner(): () => void {
  const mark = owner();
  return () => keepOwner(mark);
}

/** Removes the owner's hash, because the account was deleted. */
export const forgetPushOwner = (): void => keepOwner(undefined);

/** Replaces the browser's subscription, because an earlier one may have ended, or was made with another key. */
async function subscribe({ pushManager }: ServiceWorkerRegistration, signal?: AbortSignal): Promise<string> {
  const given = signal && { signal };
  const { publicKey } = await callApi('GET /api/push/get', given);
  await unsubscribe();
  const asked = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = await pushManager.subscribe(asked).catch(() => {
    throw new UserMessageError(
      'De meldingendienst van deze browser is er niet, of staat uit. Probeer het later opnieuw.',
    );
  });
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  try {
    const body = { endpoint, keys: { p256dh, auth } };
    return (await callApi('POST /api/push/subscribe', { body, ...given })).message;
  } catch (error) {
    await unsubscribe();
    throw error;
  }
}

/** Ends the browser's subscription. Ignores a failure, because the portal no longer sends to this subscription. */
async function unsubscribe(): Promise<void> {
  await (await subscriptionHere())?.unsubscribe().catch(() => undefined);
}

async function subscriptionHere(): Promise<PushSubscription | undefined> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

async function readyWorker(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, WORKER_TIMEOUT_MS));
  const registration = await Promise.race([navigator.serviceWorker.ready, late]);
  if (!registration)
    throw new UserMessageError('Het portaal wordt nog in deze browser gezet. Probeer het zo opnieuw.');
  return registration;
}

/** Runs one change of the subscription at a time, over all tabs. */
const withLock = <T>(work: () => Promise<T>): Promise<T> => navigator.locks.request('push', work);

/** Returns a hash of the address, so that the stored value does not reveal the account. */
async function markFor(email: string): Promise<string> {
  const bytes = new TextEncoder().encode(`werkstroom push ${email}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the owner's hash; undefined also if the browser refuses storage: the user then switches push on at each sign-in. */
function owner(): string | undefined {
  try {
    return localStorage.getItem(OWNER_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
function keepOwner(mark: string | undefined): void {
  try {
    if (mark === undefined) localStorage.removeItem(OWNER_KEY);
    else localStorage.setItem(OWNER_KEY, mark);
  } catch {
    // A browser may refuse storage.
  }
}
