/** Findings of the readers of log files, in Dutch for screens and in English for the command line. */

/** A text in both languages. */
export type BilingualText = { readonly nl: string; readonly en: string };

/** Valid lines of the text formats, as examples. */
const LINE_FORMS = {
  candump: {
    nl: 'een regel zoals ‘(1436509052.249713) can0 123#DEADBEEF’ (candump -L)',
    en: 'a line such as "(1436509052.249713) can0 123#DEADBEEF" (candump -L)',
  },
  'candump-terminal': {
    nl: 'een regel zoals ‘(1436509052.249713)  can0  201   [8]  A0 96 00 00 00 58 1B 00’ (candump -t a)',
    en: 'a line such as "(1436509052.249713)  can0  201   [8]  A0 96 00 00 00 58 1B 00" (candump -t a)',
  },
  trc: {
    nl: 'een regel met de kolommen die bovenaan het bestand staan, zoals ‘1  1059.900 DT 1  0300 Rx -  2  A0 96’ (TRC)',
    en: 'a line with the columns at the top of the file, such as "1  1059.900 DT 1  0300 Rx -  2  A0 96" (TRC)',
  },
  asc: {
    nl: 'een regel zoals ‘2.501000 1  18FEF100x  Rx  d 8 A0 96 00 00 00 58 1B 00’ (ASC)',
    en: 'a line such as "2.501000 1  18FEF100x  Rx  d 8 A0 96 00 00 00 58 1B 00" (ASC)',
  },
  'python-can': {
    nl: 'een regel zoals ‘1795161600.0,0x201,0,0,0,8,ZGQAAAAAAAA=’ (python-can)',
    en: 'a line such as "1795161600.0,0x201,0,0,0,8,ZGQAAAAAAAA=" (python-can)',
  },
  gvret: {
    nl: 'een regel met de kolommen van de eerste regel, zoals ‘39747828,000005EB,false,Rx,0,2,E8,45’ (GVRET)',
    en: 'a line with the columns of the first line, such as "39747828,000005EB,false,Rx,0,2,E8,45" (GVRET)',
  },
  gpx: {
    nl: 'een punt zoals ‘<trkpt lat="52.1" lon="5.1"><time>2026-06-01T10:00:00Z</time>’',
    en: 'a point such as <trkpt lat="52.1" lon="5.1"><time>2026-06-01T10:00:00Z</time>',
  },
} as const satisfies Record<string, BilingualText>;

/** The form of a valid line; for a CSV the number of columns, and examples of a time, joined by ' of '. */
export type LineForm = keyof typeof LINE_FORMS | { readonly columns: number; readonly times: string };

const lineForm = (form: LineForm): BilingualText =>
  typeof form === 'string'
    ? LINE_FORMS[form]
    : {
        nl: `een rij van ${form.columns} kolommen, zoals de eerste regel, met een tijd zoals ${form.times}`,
        en: `a row of ${form.columns} columns, as the first line has, with a time such as ${form.times.replace(' of ', ' or ')}`,
      };

/** The first line that cannot be read: its 1-based number, its beginning, and the expected form. */
export type BadLine = { readonly line: number; readonly text: string; readonly expected: LineForm };

const badLine = ({ line, text, expected }: BadLine): BilingualText => {
  const { nl, en } = lineForm(expected);
  return {
    nl: `regel ${line} is ‘${text}’; verwacht wordt ${nl}`,
    en: `line ${line} is "${text}"; expected is ${en}`,
  };
};

/** A column of a CSV that cannot be used: its 1-based number, or the name that another column has too. */
export type BadColumn = { readonly column: number } | { readonly name: string };

const badColumn = (bad: BadColumn): BilingualText =>
  'column' in bad
    ? {
        nl: `kolom ${bad.column} heeft geen bruikbare naam`,
        en: `column ${bad.column} has no usable name`,
      }
    : { nl: `kolom ${bad.name} staat er twee keer`, en: `the column ${bad.name} is there twice` };

const named = (nl: string, en: string, ending: string): BilingualText => ({
  nl: `${nl}: geef het een naam op ${ending}`,
  en: `${en}: give it a name that ends with ${ending}`,
});
const notRead = (nl: string, en: string): BilingualText => ({
  nl: `${nl}, dat niet wordt gelezen: sla het op als candump, ASC, BLF, TRC of MF4`,
  en: `${en}, which is not read: save it as candump, ASC, BLF, TRC or MF4`,
});

/** Kinds of files to which people give the extension of another format. */
const FOREIGN = {
  mf4: named('een MF4-bestand', 'an MF4 file', '.mf4'),
  blf: named('een BLF-bestand (Vector)', 'a BLF file (Vector)', '.blf'),
  zip: {
    nl: 'een ZIP- of Excelbestand: pak het uit, of sla het op als CSV',
    en: 'a ZIP or Excel file: unpack it, or save it as CSV',
  },
  pdf: { nl: 'een PDF-bestand', en: 'a PDF file' },
  picture: { nl: 'een afbeelding', en: 'a picture' },
  asc: named('een ASC-bestand (Vector)', 'an ASC file (Vector)', '.asc'),
  trc: named('een TRC-bestand (PEAK)', 'a TRC file (PEAK)', '.trc'),
  candump: named('een log van candump', 'a log of candump', '.log'),
  busmaster: notRead('een log van BUSMASTER', 'a log of BUSMASTER'),
  kvaser: notRead('een log van Kvaser', 'a log of Kvaser'),
  cl1000: notRead('een log van een CL1000, CL2000 of CL3000', 'a log of a CL1000, CL2000 or CL3000'),
  nmea: {
    nl: 'een log van NMEA-zinnen: neem posities op als GPX',
    en: 'a log of NMEA sentences: record positions as GPX',
  },
  slcan: notRead('een log van SLCAN', 'a log of SLCAN'),
  gpx: named('een GPX-bestand', 'a GPX file', '.gpx'),
  'web-page': { nl: 'een webpagina', en: 'a web page' },
  json: { nl: 'een JSON-bestand', en: 'a JSON file' },
  csv: named('een CSV-bestand', 'a CSV file', '.csv'),
} as const satisfies Record<string, BilingualText>;
export type ForeignFormat = keyof typeof FOREIGN;

const count = (value: number, one: string, more: string): string => `${value} ${value === 1 ? one : more}`;

/** Returns a function that makes the texts about a number of parts of a file, such as damaged sectors, that were left out. */
const counted =
  (one: string, more: string, english: string) =>
  (figures: { readonly count: number }): BilingualText => ({
    nl: count(figures.count, one, more),
    en: `${figures.count} ${english}`,
  });

type Line = { readonly line: number };

/** Returns the texts about an error in the XML of a GPX. */
const gpxError =
  (nl: string, en: string) =>
  ({ line }: Line): BilingualText => ({ nl: `GPX, regel ${line}: ${nl}.`, en: `GPX, line ${line}: ${en}.` });
/** Returns the texts about damage to a GPX file whose points before the damage were read. */
const gpxDamage = (nl: string, en: string) =>
  gpxError(`${nl}; wat ervoor stond is gelezen`, `${en}; what came before was read`);

/** The text of each kind of finding, or a function that makes it of the finding's figures. */
export const FORMAT_TEXTS = {
  // Errors of every format.
  'clock-without-start': {
    nl: 'De klok van dit log telt vanaf het aanzetten: geef de begintijd erbij, in de naam van het bestand (jjjjMMdd_UUmmss).',
    en: 'The clock of this log counts from power-on: give its start with --start, or in the name of the file (yyyyMMdd_HHmmss).',
  },
  'text-too-large': ({ mebibytes }: { mebibytes: number }) => ({
    nl: `Het logbestand is meer dan ${mebibytes} MiB aan tekst; alleen het begin is gelezen.`,
    en: `The log file is more than ${mebibytes} MiB of text; only its beginning was read.`,
  }),
  'ratio-too-large': ({ ratio }: { ratio: number }) => ({
    nl: `Het logbestand is uitgepakt meer dan ${ratio} keer zo groot; alleen het begin is gelezen.`,
    en: `The log file is more than ${ratio} times as large when unpacked; only its beginning was read.`,
  }),
  'gzip-cut-off': {
    nl: 'Het gzip-bestand is afgekapt; wat ervoor stond is gelezen.',
    en: 'The gzip file is cut off; what came before was read.',
  },
  'gzip-damaged': {
    nl: 'Het gzip-bestand is beschadigd; wat ervoor stond is gelezen.',
    en: 'The gzip file is damaged; what came before was read.',
  },
  'decoding-too-long': {
    nl: 'Het decoderen duurt te lang; wat ervoor stond is gelezen.',
    en: 'Decoding takes too long; what came before was read.',
  },
  'foreign-format': ({ format }: { format: ForeignFormat }) => ({
    nl: `Het bestand is niet te lezen als wat de naam zegt: dit is ${FOREIGN[format].nl}.`,
    en: `The file cannot be read as what its name says: this is ${FOREIGN[format].en}.`,
  }),
  'no-readable-line': (bad: BadLine) => ({
    nl: `Het logbestand heeft geen enkele leesbare regel: ${badLine(bad).nl}.`,
    en: `The log has no line that can be read: ${badLine(bad).en}.`,
  }),
  'too-many-weeks': {
    nl: 'de metingen liggen in te veel verschillende weken',
    en: 'the readings lie in too many different weeks',
  },
  'encrypted-rxe': {
    nl: 'Dit .rxe-bestand heeft de logger versleuteld (RSA) en kan niet gelezen worden: zet EncryptDataLog uit in de configuratie van de logger.',
    en: "The logger encrypted this .rxe file (RSA), so it cannot be read: switch EncryptDataLog off in the logger's configuration.",
  },
  'packed-canedge': {
    nl: 'Dit bestand heeft de CANedge gecomprimeerd of versleuteld (.mfc, .mfe, .mfm) en kan niet gelezen worden: zet in zijn configuratie bij Log de compressie en de versleuteling uit.',
    en: 'The CANedge compressed or encrypted this file (.mfc, .mfe, .mfm), so it cannot be read: switch compression and encryption off in the section Log of its configuration.',
  },

  // Errors of logs of CAN frames.
  'packed-block-too-large': ({ mebibytes }: { mebibytes: number }) => ({
    nl: `Het logbestand heeft een ingepakt blok van meer dan ${mebibytes} MiB; alleen het begin is gelezen.`,
    en: `The log file has a packed block of more than ${mebibytes} MiB; only its beginning was read.`,
  }),
  'no-blf': {
    nl: 'Dit is geen BLF: het bestand begint niet met de kop van een BLF.',
    en: 'This is no BLF: the file does not begin with the header of a BLF.',
  },
  'no-rxd': {
    nl: 'Dit is geen .rxd-bestand van een ReXgen-logger: het begint niet met een configuratie.',
    en: 'This is no .rxd file of a ReXgen logger: it does not begin with a configuration.',
  },
  'rxd-ends-in-configuration': {
    nl: 'Het .rxd-bestand houdt op in zijn configuratie, vóór de eerste meting.',
    en: 'The .rxd file ends within its configuration, before the first record.',
  },
  'candump-without-times': {
    nl: 'Dit log van candump heeft geen tijden: neem het op met ‘candump -L’.',
    en: 'This candump log has no times: record it with candump -L.',
  },
  'no-mf4': {
    nl: 'Dit is geen MF4: het bestand begint niet met de kop van een MDF.',
    en: 'This is no MF4: the file does not begin with the header of an MDF.',
  },
  'older-mdf': {
    nl: 'Dit is een oudere MDF: alleen versie 4 (MF4) wordt gelezen.',
    en: 'This is an older MDF: only version 4 (MF4) is read.',
  },
  'mf4-out-of-order': {
    nl: 'De blokken van deze MF4 staan niet op volgorde in het bestand.',
    en: 'The blocks of this MF4 are not in order in the file.',
  },
  'mf4-without-channels': {
    nl: 'De MF4 is afgekapt of beschadigd: de beschrijving van de kanalen ontbreekt.',
    en: 'The MF4 is cut off or damaged: the description of its channels is missing.',
  },
  'mf4-without-frames': {
    nl: 'Deze MF4 bevat geen CAN-berichten, maar signalen die al gedecodeerd zijn; lever de MF4 van de logger zelf aan.',
    en: 'This MF4 has no CAN frames but signals that were decoded already; use the MF4 of the logger itself.',
  },
  'mf4-channels-too-large': {
    nl: 'De beschrijving van de kanalen in deze MF4 is groter dan 16 MiB.',
    en: 'The description of the channels in this MF4 is larger than 16 MiB.',
  },
  'mf4-frames-far-apart': {
    nl: 'In deze MF4 staan de berichten en hun bytes te ver uit elkaar; alleen het begin is gelezen.',
    en: 'In this MF4 frames and their bytes are too far apart; only its beginning was read.',
  },

  // Errors of a CSV.
  'csv-empty': { nl: 'CSV: het bestand is leeg.', en: 'CSV: the file is empty.' },
  'csv-header-too-long': { nl: 'CSV: de eerste regel is te lang.', en: 'CSV: the first line is too long.' },
  'csv-header-unreadable': ({ row }: { row: string }) => ({
    nl: `CSV: de eerste regel is onleesbaar: ‘${row}’.`,
    en: `CSV: the first line cannot be read: "${row}".`,
  }),
  'csv-without-time': ({ row }: { row: string }) => ({
    nl: `CSV: geen tijdkolom (tijd, time, timestamp, datetime, GMT_UNIX, RTC_UNIX) in de eerste regel; die is ‘${row}’.`,
    en: `CSV: no column with a time (tijd, time, timestamp, datetime, GMT_UNIX, RTC_UNIX) in the first line, which is "${row}".`,
  }),
  'csv-without-signal': {
    nl: 'CSV: geen kolom met een signaal in de eerste regel.',
    en: 'CSV: no column with a signal in the first line.',
  },
  'csv-too-many-columns': ({ most }: { most: number }) => ({
    nl: `CSV: meer dan ${most} kolommen.`,
    en: `CSV: more than ${most} columns.`,
  }),
  'csv-of-other-frames': {
    nl: 'CSV: dit zijn CAN-frames (kolommen met identifier en data) in een indeling die niet wordt gelezen: sla het log op als candump, ASC, MF4 of GVRET.',
    en: 'CSV: these are CAN frames (columns of identifier and data) in a layout that is not read: save the log as candump, ASC, MF4 or GVRET.',
  },
  'csv-without-definition': {
    nl: 'Dit CSV is een CAN-log (GVRET of python-can): er is geen datadefinitie (DBC).',
    en: 'This CSV is a CAN log (GVRET or python-can), and there is no data definition: give one with --dbc can0=FILE and --mapping FILE.',
  },
  'csv-bad-column': ({ bad }: { bad: BadColumn }) => ({
    nl: `CSV: ${badColumn(bad).nl}.`,
    en: `CSV: ${badColumn(bad).en}.`,
  }),
  'csv-columns-missing': ({ missing, found }: { missing: string; found: string }) => ({
    nl: `CSV van een LMB logger: kolom ${missing} ontbreekt. De eerste regel heeft: ${found}.`,
    en: `CSV of an LMB logger: column ${missing} is missing. The first line has: ${found}.`,
  }),
  'csv-time-without-zone': ({ line, time }: Line & { time: string }) => ({
    nl: `CSV, regel ${line}: tijd '${time}' zonder tijdzone (Z of +01:00).`,
    en: `CSV, line ${line}: the time '${time}' has no time zone (Z or +01:00).`,
  }),
  'csv-times-without-seconds': ({ line, time }: Line & { time: string }) => ({
    nl: `CSV, regel ${line}: de tijden hebben geen seconden ('${time}'). Geef de kolom time in Excel de notatie dd-mm-jjjj uu:mm:ss en sla opnieuw op.`,
    en: `CSV, line ${line}: the times have no seconds ('${time}'). Give the column time in Excel the format dd-mm-yyyy hh:mm:ss, and save the file again.`,
  }),
  'csv-other-separator': ({ line, separator, expected }: Line & { separator: string; expected: string }) => {
    const sign = (its: string) => (its === '\t' ? 'tab' : `'${its}'`);
    return {
      nl: `CSV, regel ${line}: het scheidingsteken is ${sign(separator)}, in de eerste regel is het ${sign(expected)}.`,
      en: `CSV, line ${line}: the separator is ${sign(separator)}, in the first line it is ${sign(expected)}.`,
    };
  },

  // Errors of a GPX.
  'gpx-no-xml': ({ line, message }: Line & { message: string }) =>
    gpxDamage(`geen goede XML (${message})`, `no good XML (${message})`)({ line }),
  'gpx-without-tags': gpxDamage('meer dan 1 MiB zonder tag', 'more than 1 MiB without a tag'),
  'gpx-too-deep': ({ line, deepest }: Line & { deepest: number }) =>
    gpxDamage(`meer dan ${deepest} tags in elkaar`, `more than ${deepest} nested tags`)({ line }),
  'gpx-doctype': gpxError('een DOCTYPE wordt niet gelezen', 'a DOCTYPE is not read'),
  'gpx-empty': gpxError('het bestand is leeg', 'the file is empty'),
  'no-gpx': gpxError('dit is geen GPX', 'this is no GPX'),
  'gpx-cut-off': {
    nl: 'Het GPX-bestand is afgekapt; wat ervoor stond is gelezen.',
    en: 'The GPX file is cut off; what came before was read.',
  },
  'gpx-of-waypoints': {
    nl: 'GPX met alleen waypoints: dat zijn plaatsen, geen rit.',
    en: 'GPX or waypoints only: these are places, no drive.',
  },
  'gpx-without-track': {
    nl: 'GPX zonder track: er staat geen trkpt in het bestand.',
    en: 'GPX without a track: the file has no trkpt.',
  },
  'gpx-of-route': {
    nl: 'GPX met alleen een route: die is gepland, niet gereden. Neem een track op.',
    en: 'GPX of a route only: it was planned, not driven. Record a track.',
  },
  'gpx-without-times': {
    nl: 'GPX zonder tijden: geen enkel punt heeft een <time>.',
    en: 'GPX without times: no point has a <time>.',
  },

  // Findings about parts of a file that were left out, and about the file's clock.
  'mostly-unusable': {
    nl: 'let op: meer dan de helft van het bestand is niet te gebruiken',
    en: 'WARNING: more than half of the file cannot be used',
  },
  'bad-lines': ({ count: lines, first }: { count: number; first: BadLine }) => ({
    nl: `${count(lines, 'regel is', 'regels zijn')} niet gelezen: ${badLine(first).nl}`,
    en: `${count(lines, 'line was', 'lines were')} not read: ${badLine(first).en}`,
  }),
  'columns-left-out': ({ count: columns, first }: { count: number; first: BadColumn }) => ({
    nl: `${count(columns, 'kolom is', 'kolommen zijn')} weggelaten: ${badColumn(first).nl}`,
    en: `${count(columns, 'column is', 'columns are')} left out: ${badColumn(first).en}`,
  }),
  'impossible-values': ({ count: values }: { count: number }) => ({
    nl: `${count(values, 'waarde is', 'waarden zijn')} onmogelijk en weggelaten`,
    en: `${count(values, 'value is', 'values are')} impossible and left out`,
  }),
  'impossible-times': ({ count: refused, of }: { count: number; of: number }) => ({
    nl: `${refused} van de ${of} hebben een onmogelijke tijd (voor 2015 of in de toekomst)`,
    en: `${refused} of ${of} have an impossible time (before 2015 or in the future)`,
  }),
  'damaged-objects': counted('beschadigd object', 'beschadigde objecten', 'damaged objects'),
  'damaged-parts': counted('beschadigd deel', 'beschadigde delen', 'damaged parts'),
  'damaged-sectors': counted('beschadigde sector', 'beschadigde sectoren', 'damaged sectors'),
  'skipped-pre-buffers': counted(
    'overgeslagen pre-buffer',
    'overgeslagen pre-buffers',
    'skipped pre-buffers',
  ),
  'unknown-records': counted('onbekend record', 'onbekende records', 'unknown records'),
  'unread-lin-messages': counted(
    'LIN-bericht niet gelezen',
    'LIN-berichten niet gelezen',
    'LIN messages not read',
  ),
  'unnumbered-interfaces': ({ buses }: { buses: readonly { name: string; bus: number }[] }) => {
    const list = buses.map(({ name, bus }) => `${name} = can${bus}`).join(', ');
    return { nl: `interfaces zonder nummer: ${list}`, en: `interfaces without a number: ${list}` };
  },
  'clock-off-gps': ({ seconds }: { seconds: number }) => {
    const [nl, en] = seconds < 0 ? ['achter', 'behind'] : ['voor', 'ahead of'];
    return {
      nl: `de klok van de logger loopt ${Math.abs(seconds)} s ${nl} op GPS`,
      en: `the logger's clock is ${Math.abs(seconds)} s ${en} GPS`,
    };
  },
};
