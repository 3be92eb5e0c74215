/**
 * Findings of the portal about an upload of a logger, in Dutch: what the upload contained, and why it is not in the
 * history.
 */
import { dateAndTime, dutchDate, formatNumber } from '#shared/domain/nl.ts';

const DAY_MS = 86_400_000;
/** Number of weeks after which the week number of GPS, which has ten bits, begins again. */
const EPOCH_WEEKS = 1024;
const EPOCH_MS = EPOCH_WEEKS * 7 * DAY_MS;
const EPOCH_TEXT = 'het weeknummer van GPS is opnieuw begonnen';
/**
 * By how much a clock is ahead, negative if it is behind: in weeks if the week number of GPS restarted,
 * otherwise in days or, below two days, in seconds. A clock that stays wrong keeps the same weeks or days, so that
 * the logger's list of events shows it once.
 */
export type ClockOffset =
  | { readonly weeks: number }
  | { readonly days: number }
  | { readonly seconds: number };

export function clockOffsetOf(byMs: number): ClockOffset {
  const epochs = Math.round(byMs / EPOCH_MS);
  if (epochs < 0 && Math.abs(byMs - epochs * EPOCH_MS) <= DAY_MS) return { weeks: epochs * EPOCH_WEEKS };
  const days = Math.round(Math.abs(byMs) / DAY_MS);
  return days >= 2
    ? { days: byMs < 0 ? -days : days }
    : { seconds: Math.sign(byMs) * Math.round(Math.abs(byMs) / 1000) };
}

/** Returns, for example, '3 dagen achter'. */
function lagText(lag: ClockOffset): string {
  const [by, unit] =
    'weeks' in lag ? [lag.weeks, 'weken'] : 'days' in lag ? [lag.days, 'dagen'] : [lag.seconds, 's'];
  return `${formatNumber(Math.abs(by))} ${unit} ${by < 0 ? 'achter' : 'voor'}`;
}

/** Why a reading is quarantined until an administrator decides. */
export const QUARANTINE_TEXTS = {
  'before-this-binding': 'van voor deze koppeling',
  'before-this-owner': 'van voor deze eigenaar',
  'former-owners-key': 'met een sleutel die een vorige eigenaar kan kennen',
  /** `recorder`: the logger that the file names; `signer`: the logger of the key. */
  'other-logger': ({ recorder, signer }: { recorder: string; signer: string }) =>
    `van logger ${recorder}, met de sleutel van logger ${signer}`,
};

/** The end of a text about a problem that the present definition may solve. */
const AGAIN = 'decodeer daarna de logbestanden opnieuw';

type OfDefinition = {
  /** Whether the logger still has the definition with which the file was decoded. */
  readonly isPresent: boolean;
};
const definition = ({ isPresent }: OfDefinition): string =>
  isPresent ? 'de datadefinitie' : 'de datadefinitie van toen';
const solution = ({ isPresent }: OfDefinition, what: string): string =>
  isPresent
    ? `${what} en ${AGAIN}`
    : 'decodeer de logbestanden opnieuw om de huidige datadefinitie te gebruiken';

export const readingCountText = (count: number): string =>
  `${formatNumber(count)} ${count === 1 ? 'meting' : 'metingen'}`;

/** The text of each kind of finding, or a function that makes it of the finding's figures. */
export const DELIVERY_TEXTS = {
  // Findings about JSON documents, and about uploads in general.
  reading: 'meting',
  status: 'status',
  configuration: 'configuratie',
  'not-decoded': 'niet gedecodeerd',
  'no-json': 'De momentopname is geen JSON-object.',
  'without-time': 'De momentopname heeft geen tijd (GMT_UNIX, DATETIME of RTC_UNIX).',
  /**
   * `day`: the day that the snapshot's first clock field shows; null: not a calendar day. `lag`: how far that clock is
   * off, if that explains the error.
   */
  'impossible-time': (said: {
    clock: string;
    day: string | null;
    isZero: boolean;
    isAhead: boolean;
    lag: ClockOffset | null;
  }) => {
    const says = said.isZero
      ? `${said.clock} is 0`
      : `${said.clock} zegt ${said.day === null ? 'geen tijd' : dutchDate(said.day)}`;
    const isWrapped = said.lag !== null && 'weeks' in said.lag;
    const more = said.lag && lagText(said.lag);
    const what = said.isAhead ? 'ligt meer dan 10 minuten in de toekomst' : 'ligt voor 2015';
    return `De tijd van de momentopname ${what} (${isWrapped ? `${more}: ${EPOCH_TEXT}` : more ? `${says}, ${more}` : says}).`;
  },
  /** How far a clock is off, compared with the clock that was used instead. */
  'wrong-clock': ({ clock, lag, used }: { clock: string; lag: ClockOffset; used: string }) =>
    `de klok ${clock} loopt ${lagText(lag)} op ${used}${'weeks' in lag ? ` (${EPOCH_TEXT})` : ''}`,
  'reading-unbound': 'De logger was op dat moment aan geen machine gekoppeld.',
  'weeks-of-today': 'De logger levert vandaag te veel verschillende weken.',
  'not-stored': 'De levering kon niet worden opgeslagen.',
  'file-unreadable': ({ file }: { file: string }) => `${file} is onleesbaar.`,
  'file-not-stored': ({ file }: { file: string }) => `${file} kon niet worden opgeslagen.`,

  // Findings about log files.
  readings: ({ count }: { count: number }) => readingCountText(count),
  'partly-not-stored': 'een deel kon niet worden opgeslagen',
  'without-dbc': `er is geen datadefinitie (DBC) voor deze logger: upload een DBC-bestand en ${AGAIN}`,
  'definition-unreadable': ({ message }: { message: string }) => message,
  'all-times-impossible':
    'alle tijden in het bestand zijn onmogelijk (voor 2015 of in de toekomst): zet de klok van de logger gelijk',
  'partly-unbound': 'de logger was bij een deel aan geen machine gekoppeld',
  /** `from`: the first time in the file, in ms; null: unknown. */
  unbound: ({ from }: { from: number | null }) =>
    `de logger was toen${from === null ? '' : ` (${dateAndTime(from)})`} aan geen machine gekoppeld, en de metingen horen bij geen machine`,
  'of-another-machine': ({ recorder }: { recorder: string }) =>
    `de metingen van een tijd waarin logger ${recorder} bij iets anders hoorde zijn weggelaten`,
  'only-bus-errors':
    'het bestand heeft alleen fouten en verzoeken van de CAN-bus: controleer de aansluiting en de snelheid van de CAN-bus',
  'empty-file': 'het bestand is leeg',
  'nothing-mapped': (of: OfDefinition) =>
    `${definition(of)} koppelt geen enkel signaal: ${solution(of, 'koppel de signalen')}`,
  'identifiers-unknown': (of: OfDefinition & { frames: number; identifiers: number }) =>
    `geen van de ${formatNumber(of.frames)} frames staat in het DBC-bestand van zijn CAN-bus (${formatNumber(of.identifiers)} onbekende ${of.identifiers === 1 ? 'identifier' : 'identifiers'}): ${solution(of, 'controleer of het DBC-bestand bij deze machine en deze bus hoort')}`,
  'signals-not-mapped': (of: OfDefinition & { frames: number }) =>
    `geen van de ${formatNumber(of.frames)} frames heeft een signaal dat ${definition(of)} koppelt of bewaart: ${solution(of, 'koppel de signalen')}`,
  'no-usable-value': (of: OfDefinition & { count: number; what: 'frames' | 'rows' }) =>
    `geen van de ${formatNumber(of.count)} ${of.what === 'rows' ? 'rijen' : 'frames'} heeft een bruikbare waarde: ${solution(of, 'controleer de factor en offset van de koppeling')}`,

  /** Findings from before migration 0003, which are stored as texts. */
  text: ({ text }: { text: string }) => text,
};
