import { type PushNotice, readPushPayload } from '#shared/domain/push-notice.ts';
import { kindOf } from './requests.ts';

/** What a push is on the screen, and where a press on it leads. */

/** To an open page of the portal: to go there. */
export type GoTo = { readonly goTo: string };

/** Something came, and browsers want it seen: of what is none of ours it is said that it cannot be read. */
const UNREADABLE: PushNotice = {
  id: '',
  title: 'Melding van het portaal',
  body: 'Deze melding is niet te lezen. Open het portaal om te zien wat er is.',
  path: '/',
  tag: 'unreadable',
  urgent: false,
};

/** The texts of a push; undefined: it came without one. */
export const noticeOf = (text: string | undefined): PushNotice => readPushPayload(text ?? '') ?? UNREADABLE;

/** As the browser is asked to show it. Rings again for a newer one of the thread when it is urgent, which needs a thread. */
export const shownAs = ({ body, path, tag, urgent }: PushNotice) => ({
  body,
  tag,
  renotify: urgent && tag !== '',
  data: path,
  lang: 'nl',
  icon: '/icons/icon-192.png',
  badge: '/icons/badge-96.png',
});

/** The page that a path leads to; what is no page of the portal leads to its first one. @param origin the portal's own */
export function wayOf(path: unknown, origin: string): string {
  const page = pageAt(String(path), origin);
  return page ? page.pathname + page.search + page.hash : '/';
}

/** As the worker finds one. */
type OpenWindow = {
  readonly url: string;
  readonly focused: boolean;
  readonly visibilityState: DocumentVisibilityState;
};

/** Of the windows that show a page of the portal: the one that is there already, else the one that is looked at. */
export function windowFor<W extends OpenWindow>(
  windows: readonly W[],
  way: string,
  origin: string,
): W | undefined {
  const rank = ({ url, focused, visibilityState }: W): number => {
    if (wayOf(url, origin) === way) return 0;
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
  return url && kindOf({ ...asked, url: url.href }, origin) === 'page' ? url : undefined;
}
