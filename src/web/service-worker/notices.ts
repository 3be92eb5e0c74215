import { type PushNotice, readPushPayload } from '#shared/domain/push-notice.ts';
import { requestKind } from './requests.ts';

/** Decides how a push is shown, and which page opens when the user clicks the notification. */

/** Message that asks an open page of the portal to navigate to a path. */
export type NavigateMessage = { readonly goTo: string };

/** Shown for a push that cannot be parsed: browsers require that each push shows a notification. */
const UNREADABLE: PushNotice = {
  id: '',
  title: 'Melding van het portaal',
  body: 'Deze melding is niet te lezen. Open het portaal om te zien wat er is.',
  path: '/',
  tag: 'unreadable',
  urgent: false,
};

/** Parses the text of a push. A push without a readable text becomes a notice that it cannot be read. */
export const readNotice = (text: string | undefined): PushNotice => readPushPayload(text ?? '') ?? UNREADABLE;

/** Returns the options for `showNotification`. An urgent notice alerts again when it replaces one with the same tag. */
export const notificationOptions = ({ body, path, tag, urgent }: PushNotice) => ({
  body,
  tag,
  renotify: urgent && tag !== '',
  data: path,
  lang: 'nl',
  icon: '/icons/icon-192.png',
  badge: '/icons/badge-96.png',
});

/** Returns the path of a page, or '/' if `path` is no page of the portal. @param origin the portal's origin */
export function pagePath(path: unknown, origin: string): string {
  const page = pageAt(String(path), origin);
  return page ? page.pathname + page.search + page.hash : '/';
}

/** The part of a WindowClient that is used here. */
type OpenWindow = {
  readonly url: string;
  readonly focused: boolean;
  readonly visibilityState: DocumentVisibilityState;
};

/**
 * Returns the best open window of the portal: one that already shows the path `way`, else the focused one, else a
 * visible one.
 */
export function findWindow<W extends OpenWindow>(
  windows: readonly W[],
  way: string,
  origin: string,
): W | undefined {
  const rank = ({ url, focused, visibilityState }: W): number => {
    if (pagePath(url, origin) === way) return 0;
    if (focused) return 1;
    return visibilityState === 'visible' ? 2 : 3;
  };
  return windows
    .filter(({ url }) => pageAt(url, origin))
    .toSorted((one, other) => rank(one) - rank(other))[0];
}

function pageAt(path: string, origin: string): URL | undefined {
  const url = URL.parse(path, origin);
  const asked = { method: 'GET', mode: 'navigate', headers: new Headers() } as const;
  return url && requestKind({ ...asked, url: url.href }, origin) === 'page' ? url : undefined;
}
