/** Retries of webhook messages, and the Dutch texts about the state of webhooks and messages. */
import { dateAndTime } from './nl.ts';

/** For how long after it was queued an undelivered message is sent again. */
export const RETRY_FOR_HOURS = 24;
export const RETRY_FOR_MS = RETRY_FOR_HOURS * 3_600_000;
/** Delay after the first attempt; each next delay is twice as long. */
const FIRST_WAIT_MS = 30_000;

/**
 * Returns when an undelivered message is sent again, ms; the last attempt is RETRY_FOR_MS after `askedAt`.
 * undefined: the message is given up.
 * @param askedAt when the message was queued, ms
 * @param tries number of attempts so far
 */
export function nextRetryAt(askedAt: number, tries: number, now: number): number | undefined {
  const end = askedAt + RETRY_FOR_MS;
  return now >= end ? undefined : Math.min(now + FIRST_WAIT_MS * 2 ** (tries - 1), end);
}

/**
 * Returns whether a message is too old to be sent, an hour past the end of its retries: the portal was down, or the organization
 * was disabled.
 */
export const isDeliveryTooOld = (askedAt: number, now: number): boolean =>
  now > askedAt + RETRY_FOR_MS + 3_600_000;

/** Returns the outcome of an HTTP status: 2xx is delivered, 410 (Gone) ends the webhook, anything else is retried. */
export const deliveryOutcomeOf = (status: number): 'delivered' | 'gone' | 'failed' =>
  status >= 200 && status <= 299 ? 'delivered' : status === 410 ? 'gone' : 'failed';

/** Reasons for which a message was not delivered, other than the HTTP status of a response, with their Dutch texts. */
const FAILURES = {
  unreachable: 'niet bereikbaar',
  slow: 'geen antwoord binnen 10 seconden',
  unusable: 'onleesbaar antwoord',
  off: 'webhook uitgezet',
  late: 'te laat',
} as const;
export type WebhookFailure = keyof typeof FAILURES;
export const WEBHOOK_FAILURES = Object.keys(FAILURES) as [WebhookFailure, ...WebhookFailure[]];

/** Delivery of a webhook message so far: HTTP status or failure of the newest attempt, and the number of attempts. */
export type DeliveryState = {
  readonly status: number | null;
  readonly failure: WebhookFailure | null;
  readonly tries: number;
  /** Whether there will be another attempt to deliver the message. */
  readonly isWaiting: boolean;
};

export const isDelivered = ({ status }: Pick<DeliveryState, 'status'>): boolean =>
  status !== null && deliveryOutcomeOf(status) === 'delivered';

/** Returns 'Aangekomen', 'Mislukt (500), wordt opnieuw geprobeerd' or 'Opgegeven na 12 keer (niet bereikbaar)'. */
export function deliveryText({ status, failure, tries, isWaiting }: DeliveryState): string {
  if (isDelivered({ status })) return 'Aangekomen';
  const why = failure === null ? status : FAILURES[failure];
  if (isWaiting) return why === null ? 'Wordt verstuurd' : `Mislukt (${why}), wordt opnieuw geprobeerd`;
  if (tries === 0 || failure === 'off' || failure === 'late') return `Niet verstuurd (${why})`;
  return `Opgegeven na ${tries} keer (${why})`;
}

/** Dutch texts of the message types. */
const TYPES: Readonly<Record<string, string>> = {
  'alert.opened': 'Melding',
  'alert.closed': 'Melding voorbij',
  'alert.withdrawn': 'Melding ingetrokken',
  test: 'Proefbericht',
};
export const eventTypeText = (type: string): string => TYPES[type] ?? type;

/** State of a webhook, from which the list of webhooks makes its text. */
export type WebhookState = {
  readonly isOn: boolean;
  /** The receiver responded with 410 (Gone). */
  readonly isGone: boolean;
  /** ISO times: of the last delivered message (null: none), and since when messages fail (null: they do not fail). */
  readonly arrivedAt: string | null;
  readonly failingSince: string | null;
};

/** Returns 'Uit', 'Mislukt sinds 23-11-26, 08:00' or 'Werkt, laatst aangekomen op …'. */
export function webhookText({ isOn, isGone, arrivedAt, failingSince }: WebhookState): string {
  if (!isOn) return isGone ? 'Uit: het adres zei dat het er niet meer is (410)' : 'Uit';
  if (failingSince !== null) return `Mislukt sinds ${dateAndTime(Date.parse(failingSince))}`;
  if (arrivedAt === null) return 'Nog niets aangekomen';
  return `Werkt, laatst aangekomen op ${dateAndTime(Date.parse(arrivedAt))}`;
}
