import { composeMail, type MailMessage } from '#server/mail/mail-message.ts';
import type { Battery } from '#shared/contract/machine-fields.ts';
import { averagePercent, batteriesOf, hoursUntilFull } from '#shared/domain/battery.ts';
import type { ChargingKind } from '#shared/domain/charging-events.ts';
import { clockTime, dateAndTime, formatPercent, hoursAsClock } from '#shared/domain/nl.ts';
import { isStale } from '#shared/domain/staleness.ts';
import type { ChargingMailContent } from './notification.store.ts';

export type ChargingNotification = Pick<ChargingMailContent, 'machine' | 'event'> & {
  readonly to: string;
  /** Time at which the mail is sent, in ms. */
  readonly sentAt: number;
};

const TEXTS: Readonly<Record<ChargingKind, { readonly subject: string; readonly sentence: string }>> = {
  started: { subject: 'laden begonnen', sentence: 'is begonnen met laden' },
  ended: { subject: 'laden gestopt', sentence: 'is gestopt met laden' },
  completed: { subject: 'accu vol', sentence: 'is klaar met laden: de accu is vol' },
};

/**
 * Returns the mail about one event (MAIL-02; docs/design.md section 8).
 * @param unsubscribe URL to which a mail program sends one POST request to end the subscription (RFC 8058)
 */
export function chargingEmail(
  { to, machine, event, sentAt }: ChargingNotification,
  publicUrl: string,
  unsubscribe: string,
): MailMessage {
  const { serial, alias, brand, model } = machine;
  const { subject, sentence } = TEXTS[event.kind];
  const page = `${publicUrl}/machine/${encodeURIComponent(serial)}`;
  const full = event.kind === 'started' ? [expectedFull(machine.batteries, event, sentAt)] : [];
  return {
    ...composeMail({
      to,
      subject: `${alias} (#${serial}): ${subject}`,
      paragraphs: [
        `${alias} (${brand} ${model}, #${serial}) ${sentence}.`,
        whenOf(event),
        socOf(machine.batteries, event),
        ...full,
      ],
      link: { label: 'Naar de machine', url: page },
      footer: { label: 'Geen mail meer over het laden van deze machine', url: `${page}?afmelden=1` },
    }),
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

const dayOf = (ms: number): string => dateAndTime(ms).split(',', 1)[0] ?? '';

/** Returns the line that says when an event happened. The line includes the day, because the mail may be read on another day. */
function whenOf({ from, to }: ChargingNotification['event']): string {
  if (to === undefined) return `Wanneer: ${dateAndTime(from)}`;
  const between = `tussen ${clockTime(from)} en ${clockTime(to)}`;
  const days = dayOf(from) === dayOf(to) ? dayOf(from) : `${dayOf(from)} tot ${dayOf(to)}`;
  return `Wanneer: ${between} (${days}). Daartussen kwamen er geen metingen binnen.`;
}

function socOf(listed: readonly Battery[], { signals }: ChargingNotification['event']): string {
  const batteries = batteriesOf(signals, listed);
  const mean = `Accu: ${formatPercent(averagePercent(batteries))}`;
  if (batteries.length < 2) return mean;
  return `${mean} gemiddeld (${batteries.map((battery) => `accu ${battery.number}: ${formatPercent(battery.percent)}`).join(', ')})`;
}

/**
 * Returns when the battery is expected to be full, by the values of the reading with which the event was detected. Gives no time if
 * that reading is stale when the mail is sent, as the machine's page does.
 */
function expectedFull(
  listed: readonly Battery[],
  { signals, knownAt }: ChargingNotification['event'],
  sentAt: number,
): string {
  const isOld = isStale(knownAt / 1000, sentAt);
  const hours = isOld ? undefined : hoursUntilFull(batteriesOf(signals, listed), signals);
  if (hours === undefined) return `Verwacht vol: ${hoursAsClock(undefined)}`;
  return `Verwacht vol: ca. ${dateAndTime(knownAt + hours * 3_600_000)} (laadtijd ${hoursAsClock(hours)})`;
}
