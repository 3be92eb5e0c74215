import type { Api } from '#shared/contract/api.ts';
import type { CallOutput } from '#shared/contract/endpoint.ts';
import { findWindow, type NavigateMessage, notificationOptions, pagePath, readNotice } from './notices.ts';

declare const self: ServiceWorkerGlobalScope;

const ORIGIN = self.location.origin;

/** Shows every push: browsers end the subscription of a site that hides one. */
export function showPush({ data }: PushEvent): Promise<void> {
  const notice = readNotice(data?.text());
  return self.registration.showNotification(notice.title, notificationOptions(notice));
}

/**
 * Opens the page of a clicked notification. An open window navigates itself, so that it can ask the user first about an
 * unsaved form.
 */
export async function openClickedNotification({ notification }: NotificationEvent): Promise<void> {
  notification.close();
  const way = pagePath(notification.data, ORIGIN);
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = findWindow(windows, way, ORIGIN);
  if (!open) return void (await self.clients.openWindow(way));
  open.postMessage({ goTo: way } satisfies NavigateMessage);
  await open.focus();
}

/** Sends the portal the new push address that the browser gave this device, if the device is still subscribed. */
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
    // Without a subscription the next page that is loaded subscribes again.
    await subscription.unsubscribe();
    throw error;
  });
}

async function ask<T>(call: 'get' | 'subscribe', body?: object): Promise<T> {
  const answer = await fetch(`/api/push/${call}`, {
    headers: { 'x-requested-with': 'werkstroom', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`/api/push/${call}: ${answer.status}`);
  return answer.json();
}
