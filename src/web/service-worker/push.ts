import type { Api } from '#shared/contract/api.ts';
import type { CallOutput } from '#shared/contract/endpoint.ts';
import { type GoTo, noticeOf, shownAs, wayOf, windowFor } from './notices.ts';

declare const self: ServiceWorkerGlobalScope;

const ORIGIN = self.location.origin;

/** Every push is seen: browsers end the subscription of a site that hides one. */
export function showPush({ data }: PushEvent): Promise<void> {
  const notice = noticeOf(data?.text());
  return self.registration.showNotification(notice.title, shownAs(notice));
}

/** An open window goes there by itself, so that a form in it is asked about first and is not lost. */
export async function followNotice({ notification }: NotificationEvent): Promise<void> {
  notification.close();
  const way = wayOf(notification.data, ORIGIN);
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = windowFor(windows, way, ORIGIN);
  if (!open) return void (await self.clients.openWindow(way));
  open.postMessage({ goTo: way } satisfies GoTo);
  await open.focus();
}

/** The browser gave the device another address: the portal is told, where this device is still told things. */
export async function renewSubscription({ newSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  const { publicKey, devices } = await ask<CallOutput<Api['GET /api/push/get']>>('get');
  if (!devices.some(({ isOwn }) => isOwn)) return;
  const subscription =
    newSubscription ??
    (await self.registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: publicKey,
    }));
  const { endpoint, keys } = subscription.toJSON();
  await ask('subscribe', { endpoint, keys }).catch(async (error: unknown) => {
    // Without one the next page tries again.
    await subscription.unsubscribe();
    throw error;
  });
}

async function ask<T>(what: 'get' | 'subscribe', body?: object): Promise<T> {
  const answer = await fetch(`/api/push/${what}`, {
    headers: { 'x-requested-with': 'werkstroom', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`/api/push/${what}: ${answer.status}`);
  return answer.json();
}
