import { type MailMessage, writeLetter } from '#server/mail/mail-message.ts';
import type { Battery } from '#shared/contract/machine-fields.ts';
import { averagePercent, batteriesOf, hoursUntilFull } from '#shared/domain/battery.ts';
import type { ChargingKind } from '#shared/domain/charging-events.ts';
import { clockTime, dateAndTime, hoursAsClock, percent } from '#shared/domain/nl.ts';
import { isStale } from '#shared/domain/staleness.ts';
import type { Charging } from './news.store.ts';

export type ChargingNews = Pick<Charging, 'machine' | 'event'> & {
  readonly to: string;
  /** When it is told, ms. */
  readonly toldAt: number;
};

const WORDS: Readonly<Record<ChargingKind, { readonly subject: string; readonly sentence: string }>> = {
  started: { subject: 'laden begonnen', sentence: 'is begonnen met laden' },
  ended: { subject: 'laden gestopt', sentence: 'is gestopt met laden' },
  completed: { subject: 'accu vol', sentence: 'is klaar met laden: de accu is vol' },
};

/**
 * The mail about one event (MAIL-02; docs/design.md section 8).
 * @param unsubscribe address that ends the subscription by a POST alone (RFC 8058)
 */
export function chargingLetter(
  { to, machine, event, toldAt }: ChargingNews,
  publicUrl: string,
  unsubscribe: string,
): MailMessage {
  const { serial, alias, brand, model } = machine;
  const { subject, sentence } = WORDS[event.kind];
  const page = `${publicUrl}/machine/${encodeURIComponent(serial)}`;
  const full = event.kind === 'started' ? [expectedFull(machine.batteries, event, toldAt)] : [];
  return {
    ...writeLetter({
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

/** A mail may be read on another day than it is about, so it names the day. */
function whenOf({ from, to }: ChargingNews['event']): string {
  if (to === undefined) return `Wanneer: ${dateAndTime(from)}`;
  const between = `tussen ${clockTime(from)} en ${clockTime(to)}`;
  const days = dayOf(from) === dayOf(to) ? dayOf(from) : `${dayOf(from)} tot ${dayOf(to)}`;
  return `Wanneer: ${between} (${days}). Daartussen kwamen er geen metingen binnen.`;
}

function socOf(listed: readonly Battery[], { signals }: ChargingNews['event']): string {
  const batteries = batteriesOf(signals, listed);
  const mean = `Accu: ${percent(averagePercent(batteries))}`;
  if (batteries.length < 2) return mean;
  return `${mean} gemiddeld (${batteries.map((battery) => `accu ${battery.number}: ${percent(battery.percent)}`).join(', ')})`;
}

/** At the values of the moment by which the charging had held; of old ones no time is told, as on the page. */
function expectedFull(
  listed: readonly Battery[],
  { signals, knownAt }: ChargingNews['event'],
  toldAt: number,
): string {
  const isOld = isStale(knownAt / 1000, toldAt);
  const hours = isOld ? undefined : hoursUntilFull(batteriesOf(signals, listed), signals);
  if (hours === undefined) return `Verwacht vol: ${hoursAsClock(undefined)}`;
  return `Verwacht vol: ca. ${dateAndTime(knownAt + hours * 3_600_000)} (laadtijd ${hoursAsClock(hours)})`;
}
