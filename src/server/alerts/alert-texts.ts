import { type ContactToCall, composeMail, type MailMessage } from '#server/mail/mail-message.ts';
import { isOperatorKind, kindDefinition } from '#shared/domain/alerts/kinds.ts';
import { contactOwnerText } from '#shared/domain/contacts.ts';
import { dateAndTime, formatNumber } from '#shared/domain/nl.ts';
import type { PushNotice } from '#shared/domain/push-notice.ts';
import { MAX_ALERTS_PER_MESSAGE, type Notification, type NotificationItem } from './notification.store.ts';

/** The texts of alerts in mails and in notifications on devices. */

const FURTHER: Partial<Record<NotificationItem['step'], string>> = {
  'further-1': '1 km',
  'further-10': '10 km',
};
const isFiring = ({ step }: Pick<NotificationItem, 'step'>): boolean =>
  step === 'opened' || FURTHER[step] !== undefined;

/** Returns the title of an alert: 'Accu laag: Kraan 1 (#K-1)'. */
function titleOf(item: NotificationItem): string {
  const { kind, step } = item;
  const title = [kindDefinition(kind).word, nameOf(item)].filter(Boolean).join(': ');
  if (step === 'closed') return `${title} is voorbij`;
  const away = FURTHER[step];
  if (away) return `${title} is nu meer dan ${away} weg`;
  return step === 'withdrawn' ? `${title} bleek niet zo` : title;
}

/** Returns the name of the alert's subject; '' if the title needs no name, because its kind says what it is about. */
function nameOf({ kind, machine, subject }: NotificationItem): string {
  if (machine) return `${machine.alias} (#${machine.serial})`;
  return subject ?? (isOperatorKind(kind) ? '' : 'veel machines tegelijk');
}

function sentencesOf(item: NotificationItem): string[] {
  const { words, since, until, step, kind, place, lastKnown = [] } = item;
  const from = dateAndTime(since.getTime());
  const over = until && until > since ? `van ${from} tot ${dateAndTime(until.getTime())}` : from;
  const when = until ? over : `sinds ${from}`;
  if (step === 'withdrawn') return ['Uit metingen die later binnenkwamen blijkt dat het niet zo was.'];
  const what = `${words.charAt(0).toUpperCase()}${words.slice(1)}, ${when}.`;
  const where = place === undefined ? [] : [`${place}.`];
  return isFiring(item) && !until ? [what, ...where, ...lastKnown, kindDefinition(kind).whatToDo] : [what];
}

/** Maximum number of machines that a message names for one contact. */
const MAX_NAMED = 3;

/** Returns whom to call: one line per contact, which names the machines if the message is about several. */
function callsOf(items: readonly NotificationItem[]): ContactToCall[] {
  const open = items.flatMap((one) => (one.contact ? [{ ...one, contact: one.contact }] : []));
  const groups = Map.groupBy(open, ({ contact: { contactName, telephone, by, ownerName } }) =>
    [contactName, telephone, by, ownerName].join('\n'),
  );
  return [...groups.values()].map((list) => {
    const { contactName, telephone, contactNote, by, ownerName } = (list[0] as (typeof list)[number]).contact;
    const names = [...new Set(list.map(({ machine }) => machine?.alias ?? ''))];
    const others = names.length - MAX_NAMED;
    const named = `${names.slice(0, MAX_NAMED).join(', ')}${others > 0 ? ` en nog ${formatNumber(others)} andere` : ''}`;
    const whose = by === 'machine' && items.length > 1 ? '' : contactOwnerText(by, ownerName);
    const about = [whose, contactNote, items.length > 1 ? `voor ${named}` : ''].filter(Boolean);
    return { label: `Bel ${contactName} (${about.join('; ')})`, telephone };
  });
}

/** Maximum number of contacts in a message; the page lists all. */
const MAX_CONTACTS_IN_MESSAGE = 10;

/** Groups the items that are listed per place, so that each place is listed once. */
const listsOf = (items: readonly NotificationItem[]): NotificationItem[][] => [
  ...Map.groupBy(items, ({ alertId, step, kind, place }) =>
    place === undefined ? `${alertId} ${step}` : `${kind} ${place}`,
  ).values(),
];

function listTexts(list: readonly NotificationItem[]): string[] {
  const [first] = list as [NotificationItem, ...NotificationItem[]];
  if (first.place === undefined)
    return list.map((one) => `${urgentPrefix(one)}${titleOf(one)}. ${sentencesOf(one).join(' ')}`);
  const { word, whatToDo } = kindDefinition(first.kind);
  return [
    `${urgentPrefix(first)}${word}. ${first.place}:`,
    ...list.map((one) => `${nameOf(one)}: ${one.words}.`),
    whatToDo,
  ];
}

/** Returns the link of a message: to the map, to one alert, or to all alerts. */
function linkOf(items: readonly NotificationItem[]): { readonly label: string; readonly path: string } {
  const [first] = items;
  if (!first || items.length > 1) return { label: 'Naar de meldingen', path: '/meldingen' };
  if (first.isOnMap && first.machine)
    return { label: 'Bekijk op de kaart', path: `/?machine=${encodeURIComponent(first.machine.serial)}` };
  return { label: 'Naar de melding', path: `/meldingen?melding=${first.alertId}` };
}

const urgentPrefix = (item: NotificationItem): string =>
  item.isUrgent && isFiring(item) ? 'Dringend: ' : '';

const subjectOf = (items: readonly NotificationItem[]): string => {
  const [first] = items as [NotificationItem, ...NotificationItem[]];
  return `${urgentPrefix(first)}${items.length === 1 ? titleOf(first) : `${items.length} meldingen, waaronder ${titleOf(first)}`}`;
};

/**
 * Returns the mail of one message.
 * @param messageIdOf returns the Message-ID header of a message
 * @param unsubscribe URL to which a mail program sends one POST request to end these mails (RFC 8058)
 */
export function alertEmail(
  { to, items }: Notification,
  publicUrl: string,
  unsubscribe: string,
  messageIdOf: (id: string) => string,
): MailMessage {
  const described = items.slice(0, MAX_ALERTS_PER_MESSAGE);
  const [only] = items;
  const paragraphs = only && items.length === 1 ? sentencesOf(only) : listsOf(described).flatMap(listTexts);
  if (items.length > described.length) paragraphs.push(`En nog ${items.length - described.length} andere.`);
  const link = linkOf(items);
  const threads = [...new Set(items.flatMap(({ thread }) => thread ?? []))].map(messageIdOf);
  return {
    ...composeMail({
      to,
      subject: subjectOf(items),
      paragraphs,
      calls: callsOf(described).slice(0, MAX_CONTACTS_IN_MESSAGE),
      link: { label: link.label, url: publicUrl + link.path },
      footer:
        items.length === 1
          ? {
              label: 'Hier niets meer over horen',
              url: `${publicUrl}/meldingen?melding=${only?.alertId}&dempen=1`,
            }
          : { label: 'Hoe je meldingen krijgt', url: `${publicUrl}/account#meldingen` },
    }),
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      ...(threads.length > 0 && { 'In-Reply-To': threads[0] as string, References: threads.join(' ') }),
    },
  };
}

const callSentences = (items: readonly NotificationItem[]): string[] =>
  callsOf(items).map(({ label, telephone }) => `${label}: ${telephone}.`);

/**
 * Returns the notification of one message for devices.
 * @param id the id of the message
 */
export function alertPushNotice(id: string, { items }: Notification): PushNotice {
  const [first] = items as [NotificationItem, ...NotificationItem[]];
  return {
    id,
    title: subjectOf(items),
    body:
      items.length === 1
        ? [...sentencesOf(first), ...callSentences(items)].join(' ')
        : items.slice(0, MAX_ALERTS_PER_MESSAGE).map(titleOf).join('\n'),
    path: linkOf(items).path,
    tag: items.length === 1 ? `alert ${first.alertId}` : `alerts ${id}`,
    urgent: items.some((one) => one.isUrgent && isFiring(one)),
  };
}
