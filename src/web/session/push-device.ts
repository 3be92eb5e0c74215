/**
 * This browser's part in web push: one subscription, which ends with the sign-in (docs/decisions/0046). Whose it is, is
 * kept as a mark that outlives the sign-out, so that whoever signs in again has it again, and nobody else.
 */
import { call, SpokenError } from '#web/lib/api.ts';

/** The mark of the account that switched it on here. */
const OWNER_KEY = 'pushOf';
/** The worker is there once it has fetched all pages: on a slow line that takes a while, and who presses waits for it. */
const PATIENCE_MS = 30_000;

/** Whether this browser can be told anything. Without the rest no worker is registered. */
export const knowsPush = (): boolean =>
  ['PushManager', 'Notification', 'caches'].every((name) => name in globalThis) &&
  'serviceWorker' in navigator &&
  'locks' in navigator;

/** Whether it is, as far as it knows itself. */
export const isSubscribed = async (): Promise<boolean> => (await subscriptionHere()) !== undefined;

/** In a press, since it asks for permission. @returns what the portal says. Rejects with ApiError or SpokenError */
export async function switchOn(email: string): Promise<string> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new SpokenError('De browser mag geen meldingen tonen. Sta ze toe als hij het vraagt.');
  const registration = await readyWorker();
  return oneAtATime(async () => {
    const message = await subscribe(registration);
    keepOwner(await markOf(email));
    return message;
  });
}

/** @param id the device's. Rejects with ApiError, and then nothing has changed */
export async function switchOff(id: number): Promise<string> {
  const { message } = await call('POST /api/push/unsubscribe', { body: { id } });
  await oneAtATime(async () => {
    keepOwner(undefined);
    await unsubscribe();
  });
  return message;
}

/**
 * Of who is signed in on a page that was loaded, or has just signed in: what was on for them is on again. What is another's ends,
 * and what was ended from another device stays so.
 * @param signal they are signed in no more
 */
export async function resumePush(email: string, signal: AbortSignal): Promise<void> {
  if (!knowsPush() || owner() === undefined) return;
  const isTheirs = owner() === (await markOf(email));
  if (!isTheirs) return oneAtATime(unsubscribe);
  if (Notification.permission !== 'granted') return;
  const registration = await navigator.serviceWorker.ready;
  await oneAtATime(async () => {
    if (signal.aborted) return;
    if (!(await isSubscribed())) return void (await subscribe(registration, signal));
    const { devices } = await call('GET /api/push/get', { signal });
    if (devices.some(({ isOwn }) => isOwn)) return;
    keepOwner(undefined);
    await unsubscribe();
  });
}

/** Nobody is signed in here any more: nothing comes, and what came is not readable. */
export async function endPush(): Promise<void> {
  if (!knowsPush()) return;
  await oneAtATime(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
    await unsubscribe();
  });
}

/** The sign-out empties the browser's store. @returns what puts the mark back */
export function holdOwner(): () => void {
  const held = owner();
  return () => keepOwner(held);
}

/** There is no such account any more. */
export const forgetOwner = (): void => keepOwner(undefined);

/** Always a new one: that of before may be dead, or made with another key. */
async function subscribe({ pushManager }: ServiceWorkerRegistration, signal?: AbortSignal): Promise<string> {
  const given = signal && { signal };
  const { publicKey } = await call('GET /api/push/get', given);
  await unsubscribe();
  const asked = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = await pushManager.subscribe(asked).catch(() => {
    throw new SpokenError(
      'De meldingendienst van deze browser is er niet, of staat uit. Probeer het later opnieuw.',
    );
  });
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  try {
    const body = { endpoint, keys: { p256dh, auth } };
    return (await call('POST /api/push/subscribe', { body, ...given })).message;
  } catch (error) {
    await unsubscribe();
    throw error;
  }
}

/** The portal sends nothing to it any more, whether the browser manages or not. */
async function unsubscribe(): Promise<void> {
  await (await subscriptionHere())?.unsubscribe().catch(() => undefined);
}

async function subscriptionHere(): Promise<PushSubscription | undefined> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

async function readyWorker(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
  const registration = await Promise.race([navigator.serviceWorker.ready, late]);
  if (!registration)
    throw new SpokenError('Het portaal wordt nog in deze browser gezet. Probeer het zo opnieuw.');
  return registration;
}

/** Other tabs included. */
const oneAtATime = <T>(work: () => Promise<T>): Promise<T> => navigator.locks.request('push', work);

/** Who is who cannot be read from it. */
async function markOf(email: string): Promise<string> {
  const bytes = new TextEncoder().encode(`werkstroom push ${email}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A browser may refuse to keep data for us: then it is switched on anew after each sign-in. */
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
    // As above.
  }
}
