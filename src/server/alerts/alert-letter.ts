import { type Call, type MailMessage, writeLetter } from '#server/mail/mail-message.ts';
import { isOfOperators, kindWords } from '#shared/domain/alerts/kinds.ts';
import { contactOwnerText } from '#shared/domain/contacts.ts';
import { dateAndTime, plainNumber } from '#shared/domain/nl.ts';
import type { PushNotice } from '#shared/domain/push-notice.ts';
import { type MessageNews, MOST_DESCRIBED, type News } from './news.store.ts';

/** How an alert is put into words, for a mail and for a device. */

const FURTHER: Partial<Record<News['step'], string>> = { 'further-1': '1 km', 'further-10': '10 km' };
const isGoingOn = ({ step }: Pick<News, 'step'>): boolean => step === 'opened' || FURTHER[step] !== undefined;

/** 'Accu laag: Kraan 1 (#K-1)'. */
function titleOf(news: News): string {
  const { kind, step } = news;
  const title = [kindWords(kind).word, nameOf(news)].filter(Boolean).join(': ');
  if (step === 'closed') return `${title} is voorbij`;
  const away = FURTHER[step];
  if (away) return `${title} is nu meer dan ${away} weg`;
  return step === 'withdrawn' ? `${title} bleek niet zo` : title;
}

/** '': the kind says it. */
function nameOf({ kind, machine, subject }: News): string {
  if (machine) return `${machine.alias} (#${machine.serial})`;
  return subject ?? (isOfOperators(kind) ? '' : 'veel machines tegelijk');
}

function sentencesOf(news: News): string[] {
  const { words, since, until, step, kind, place, lastKnown = [] } = news;
  const from = dateAndTime(since.getTime());
  const over = until && until > since ? `van ${from} tot ${dateAndTime(until.getTime())}` : from;
  const when = until ? over : `sinds ${from}`;
  if (step === 'withdrawn') return ['Uit metingen die later binnenkwamen blijkt dat het niet zo was.'];
  const what = `${words.charAt(0).toUpperCase()}${words.slice(1)}, ${when}.`;
  const where = place === undefined ? [] : [`${place}.`];
  return isGoingOn(news) && !until ? [what, ...where, ...lastKnown, kindWords(kind).whatToDo] : [what];
}

/** Machines that a message names beside one contact. */
const MOST_NAMED = 3;

/** Returns whom to call: one line per contact, which names the machines where a message is about several. */
function callsOf(news: readonly News[]): Call[] {
  const open = news.flatMap((one) => (one.contact ? [{ ...one, contact: one.contact }] : []));
  const groups = Map.groupBy(open, ({ contact: { contactName, telephone, by, ownerName } }) =>
    [contactName, telephone, by, ownerName].join('\n'),
  );
  return [...groups.values()].map((list) => {
    const { contactName, telephone, contactNote, by, ownerName } = (list[0] as (typeof list)[number]).contact;
    const names = [...new Set(list.map(({ machine }) => machine?.alias ?? ''))];
    const others = names.length - MOST_NAMED;
    const named = `${names.slice(0, MOST_NAMED).join(', ')}${others > 0 ? ` en nog ${plainNumber(others)} andere` : ''}`;
    const whose = by === 'machine' && news.length > 1 ? '' : contactOwnerText(by, ownerName);
    const about = [whose, contactNote, news.length > 1 ? `voor ${named}` : ''].filter(Boolean);
    return { label: `Bel ${contactName} (${about.join('; ')})`, telephone };
  });
}

/** Contacts that one message names; the page has the rest. */
const MOST_CALLS = 10;

/** What is told per place is together, one place after the other. */
const listsOf = (news: readonly News[]): News[][] => [
  ...Map.groupBy(news, ({ alertId, step, kind, place }) =>
    place === undefined ? `${alertId} ${step}` : `${kind} ${place}`,
  ).values(),
];

function listInWords(list: readonly News[]): string[] {
  const [first] = list as [News, ...News[]];
  if (first.place === undefined)
    return list.map((one) => `${urgently(one)}${titleOf(one)}. ${sentencesOf(one).join(' ')}`);
  const { word, whatToDo } = kindWords(first.kind);
  return [
    `${urgently(first)}${word}. ${first.place}:`,
    ...list.map((one) => `${nameOf(one)}: ${one.words}.`),
    whatToDo,
  ];
}

/** Returns the link of a message: to the map, to one alert, or to all alerts. */
function linkOf(news: readonly News[]): { readonly label: string; readonly path: string } {
  const [first] = news;
  if (!first || news.length > 1) return { label: 'Naar de meldingen', path: '/meldingen' };
  if (first.isOnMap && first.machine)
    return { label: 'Bekijk op de kaart', path: `/?machine=${encodeURIComponent(first.machine.serial)}` };
  return { label: 'Naar de melding', path: `/meldingen?melding=${first.alertId}` };
}

const urgently = (news: News): string => (news.isUrgent && isGoingOn(news) ? 'Dringend: ' : '');

const subjectOf = (news: readonly News[]): string => {
  const [first] = news as [News, ...News[]];
  return `${urgently(first)}${news.length === 1 ? titleOf(first) : `${news.length} meldingen, waaronder ${titleOf(first)}`}`;
};

/**
 * @param messageIdOf a message of ours, as mail programs know it
 * @param unsubscribe address that ends these mails by a POST alone (RFC 8058)
 */
export function alertLetter(
  { to, news }: MessageNews,
  publicUrl: string,
  unsubscribe: string,
  messageIdOf: (id: string) => string,
): MailMessage {
  const told = news.slice(0, MOST_DESCRIBED);
  const [only] = news;
  const paragraphs = only && news.length === 1 ? sentencesOf(only) : listsOf(told).flatMap(listInWords);
  if (news.length > told.length) paragraphs.push(`En nog ${news.length - told.length} andere.`);
  const link = linkOf(news);
  const threads = [...new Set(news.flatMap(({ thread }) => thread ?? []))].map(messageIdOf);
  return {
    ...writeLetter({
      to,
      subject: subjectOf(news),
      paragraphs,
      calls: callsOf(told).slice(0, MOST_CALLS),
      link: { label: link.label, url: publicUrl + link.path },
      footer:
        news.length === 1
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

const callSentences = (news: readonly News[]): string[] =>
  callsOf(news).map(({ label, telephone }) => `${label}: ${telephone}.`);

/** @param id of the message */
export function alertNotice(id: string, { news }: MessageNews): PushNotice {
  const [first] = news as [News, ...News[]];
  return {
    id,
    title: subjectOf(news),
    body:
      news.length === 1
        ? [...sentencesOf(first), ...callSentences(news)].join(' ')
        : news.slice(0, MOST_DESCRIBED).map(titleOf).join('\n'),
    path: linkOf(news).path,
    tag: news.length === 1 ? `alert ${first.alertId}` : `alerts ${id}`,
    urgent: news.some((one) => one.isUrgent && isGoingOn(one)),
  };
}
