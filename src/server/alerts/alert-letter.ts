import { type MailMessage, writeLetter } from '#server/mail/mail-message.ts';
import { isOfOperators, kindWords } from '#shared/domain/alerts/kinds.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import type { PushNotice } from '#shared/domain/push-notice.ts';
import type { MessageNews, News } from './news.store.ts';

/** How an alert is put into words, for a mail and for a device. */

/** Alerts that one message tells one by one; the page has the rest. */
const MOST_TOLD = 50;

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
  const { words, since, until, step, kind, place } = news;
  const from = dateAndTime(since.getTime());
  const over = until && until > since ? `van ${from} tot ${dateAndTime(until.getTime())}` : from;
  const when = until ? over : `sinds ${from}`;
  if (step === 'withdrawn') return ['Uit metingen die later binnenkwamen blijkt dat het niet zo was.'];
  const what = `${words.charAt(0).toUpperCase()}${words.slice(1)}, ${when}.`;
  const where = place === undefined ? [] : [`${place}.`];
  return isGoingOn(news) && !until ? [what, ...where, kindWords(kind).whatToDo] : [what];
}

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
  const told = news.slice(0, MOST_TOLD);
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

/** @param id of the message */
export function alertNotice(id: string, { news }: MessageNews): PushNotice {
  const [first] = news as [News, ...News[]];
  return {
    id,
    title: subjectOf(news),
    body: news.length === 1 ? sentencesOf(first).join(' ') : news.slice(0, MOST_TOLD).map(titleOf).join('\n'),
    path: linkOf(news).path,
    tag: news.length === 1 ? `alert ${first.alertId}` : `alerts ${id}`,
    urgent: news.some((one) => one.isUrgent && isGoingOn(one)),
  };
}
