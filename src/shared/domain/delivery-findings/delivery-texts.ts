/** Findings of the portal about a delivery of a logger, in Dutch: what it gave, and why it is not in the history. */
import { dateAndTime, dutchDate, plainNumber } from '#shared/domain/nl.ts';

const DAY_MS = 86_400_000;
/** Number of weeks after which the week number of GPS, which has ten bits, begins again. */
const EPOCH_WEEKS = 1024;
const EPOCH_MS = EPOCH_WEEKS * 7 * DAY_MS;
const EPOCH_TEXT = 'het weeknummer van GPS is opnieuw begonnen';
const LAST_YEAR_MS = Date.UTC(9999, 11, 31);

const dayOf = (time: number): string =>
  time >= 0 && time <= LAST_YEAR_MS ? dutchDate(new Date(time).toISOString().slice(0, 10)) : 'geen tijd';

/** Returns, for example, '3 dagen achter'. */
function lag(byMs: number): string {
  const [ms, side] = [Math.abs(byMs), byMs < 0 ? 'achter' : 'voor'];
  const days = Math.round(ms / DAY_MS);
  const size = days >= 2 ? `${plainNumber(days)} dagen` : `${plainNumber(Math.round(ms / 1000))} s`;
  return `${size} ${side}`;
}

/** Returns, for example, '1.024 weken achter' when the week number of GPS wrapped around. */
function weeksBehind(byMs: number): string | undefined {
  const times = Math.round(-byMs / EPOCH_MS);
  if (times < 1 || Math.abs(-byMs - times * EPOCH_MS) > DAY_MS) return undefined;
  return `${plainNumber(times * EPOCH_WEEKS)} weken achter`;
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

export const readingCount = (count: number): string =>
  `${plainNumber(count)} ${count === 1 ? 'meting' : 'metingen'}`;

/** The text of each kind of finding, or a function that makes it of the finding's figures. */
export const DELIVERY_TEXTS = {
  // Documents.
  reading: 'meting',
  status: 'status',
  configuration: 'configuratie',
  'not-decoded': 'niet gedecodeerd',
  'no-json': 'De momentopname is geen JSON-object.',
  'without-time': 'De momentopname heeft geen tijd (GMT_UNIX, DATETIME of RTC_UNIX).',
  /** The clock's time in ms, by how much it is ahead of the portal's, and whether that is why it was rejected. */
  'impossible-time': (said: { clock: string; time: number; byMs: number; isAhead: boolean }) => {
    const weeks = weeksBehind(said.byMs);
    const says = said.time === 0 ? `${said.clock} is 0` : `${said.clock} zegt ${dayOf(said.time)}`;
    const more = weeks ? `${weeks}: ${EPOCH_TEXT}` : said.isAhead ? `${says}, ${lag(said.byMs)}` : says;
    const what = said.isAhead ? 'ligt meer dan 10 minuten in de toekomst' : 'ligt voor 2015';
    return `De tijd van de momentopname ${what} (${more}).`;
  },
  /** By how many ms a clock is ahead of the one that was used instead. */
  'wrong-clock': ({ clock, byMs, used }: { clock: string; byMs: number; used: string }) => {
    const weeks = weeksBehind(byMs);
    return `de klok ${clock} loopt ${weeks ?? lag(byMs)} op ${used}${weeks === undefined ? '' : ` (${EPOCH_TEXT})`}`;
  },
  'reading-unbound': 'De logger was op dat moment aan geen machine gekoppeld.',
  'weeks-of-today': 'De logger levert vandaag te veel verschillende weken.',
  'not-stored': 'De levering kon niet worden opgeslagen.',
  'file-unreadable': ({ file }: { file: string }) => `${file} is onleesbaar.`,
  'file-not-stored': ({ file }: { file: string }) => `${file} kon niet worden opgeslagen.`,

  // Log files.
  readings: ({ count }: { count: number }) => readingCount(count),
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
    `geen van de ${plainNumber(of.frames)} frames staat in het DBC-bestand van zijn CAN-bus (${plainNumber(of.identifiers)} onbekende ${of.identifiers === 1 ? 'identifier' : 'identifiers'}): ${solution(of, 'controleer of het DBC-bestand bij deze machine en deze bus hoort')}`,
  'signals-not-mapped': (of: OfDefinition & { frames: number }) =>
    `geen van de ${plainNumber(of.frames)} frames heeft een signaal dat ${definition(of)} koppelt of bewaart: ${solution(of, 'koppel de signalen')}`,
  'no-usable-value': (of: OfDefinition & { count: number; what: 'frames' | 'rows' }) =>
    `geen van de ${plainNumber(of.count)} ${of.what === 'rows' ? 'rijen' : 'frames'} heeft een bruikbare waarde: ${solution(of, 'controleer de factor en offset van de koppeling')}`,

  /** The text of an outcome from before migration 0003. */
  text: ({ text }: { text: string }) => text,
};
