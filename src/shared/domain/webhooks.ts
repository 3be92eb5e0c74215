/** When a webhook's message is tried again, and what is said of how it and its messages are. */
import { dateAndTime } from './nl.ts';

/** For how long a message is tried. */
export const TRIED_FOR_MS = 24 * 3_600_000;
/** The wait after the first try; each next one is twice as long. */
const FIRST_WAIT_MS = 30_000;

/**
 * When a message that did not arrive is tried again: the last time when its day is over.
 * @param askedAt ms, when it was asked for; @param tries made so far
 * @returns undefined: it is given up
 */
export function nextTry(askedAt: number, tries: number, now: number): number | undefined {
  const end = askedAt + TRIED_FOR_MS;
  return now >= end ? undefined : Math.min(now + FIRST_WAIT_MS * 2 ** (tries - 1), end);
}

/** Whether its day was over long ago: the portal was down, or the organization switched off. It is sent no more. */
export const isTooLate = (askedAt: number, now: number): boolean => now > askedAt + TRIED_FOR_MS + 3_600_000;

/** What an answer means: anything but 2xx is tried again, and 410 (Gone) says that nobody wants it any more. */
export const outcomeOf = (status: number): 'delivered' | 'gone' | 'failed' =>
  status >= 200 && status <= 299 ? 'delivered' : status === 410 ? 'gone' : 'failed';

/** Why a message to a webhook got no answer. */
const FAILURES = {
  unreachable: 'niet bereikbaar',
  slow: 'geen antwoord binnen 10 seconden',
  unusable: 'onleesbaar antwoord',
  off: 'webhook uitgezet',
  late: 'te laat',
} as const;
export type WebhookFailure = keyof typeof FAILURES;
export const WEBHOOK_FAILURES = Object.keys(FAILURES) as [WebhookFailure, ...WebhookFailure[]];

/** Of a message, what of it is known. */
export type DeliveryState = {
  readonly status: number | null;
  readonly failure: WebhookFailure | null;
  readonly tries: number;
  /** Whether it is tried (again). */
  readonly isWaiting: boolean;
};

export const hasArrived = ({ status }: Pick<DeliveryState, 'status'>): boolean =>
  status !== null && outcomeOf(status) === 'delivered';

/** 'Aangekomen', 'Mislukt (500), wordt opnieuw geprobeerd', 'Opgegeven na 12 keer (niet bereikbaar)'. */
export function deliveryText({ status, failure, tries, isWaiting }: DeliveryState): string {
  if (hasArrived({ status })) return 'Aangekomen';
  const why = failure === null ? status : FAILURES[failure];
  if (isWaiting) return why === null ? 'Wordt verstuurd' : `Mislukt (${why}), wordt opnieuw geprobeerd`;
  if (tries === 0 || failure === 'off' || failure === 'late') return `Niet verstuurd (${why})`;
  return `Opgegeven na ${tries} keer (${why})`;
}

/** What a message is about, by its type; one of a later version is its own word. */
const TYPES: Readonly<Record<string, string>> = {
  'alert.opened': 'Melding',
  'alert.closed': 'Melding voorbij',
  'alert.withdrawn': 'Melding ingetrokken',
  test: 'Proefbericht',
};
export const typeText = (type: string): string => TYPES[type] ?? type;

/** Of a webhook, what its list says of it. */
export type WebhookState = {
  readonly isOn: boolean;
  /** Its receiver said that it is there no more. */
  readonly isGone: boolean;
  /** ISO 8601 */
  readonly arrivedAt: string | null;
  readonly failingSince: string | null;
};

/** 'Uit', 'Mislukt sinds 23-11-26, 08:00', 'Werkt, laatst aangekomen op …'. */
export function webhookText({ isOn, isGone, arrivedAt, failingSince }: WebhookState): string {
  if (!isOn) return isGone ? 'Uit: het adres zei dat het er niet meer is (410)' : 'Uit';
  if (failingSince !== null) return `Mislukt sinds ${dateAndTime(Date.parse(failingSince))}`;
  if (arrivedAt === null) return 'Nog niets aangekomen';
  return `Werkt, laatst aangekomen op ${dateAndTime(Date.parse(arrivedAt))}`;
}
