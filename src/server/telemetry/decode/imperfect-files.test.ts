import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { formatOf, isLogFormat } from './log-file-name.ts';
import { LogError } from './log-outcome.ts';
import { decodeLog, LOG_NOW_MS, LOG_START_SECONDS, readAllBatches, socLine } from './test/small-log.ts';

/** Decodes a file by its name; returns the number of seconds with a value of Soc1, or the message of its error. */
async function resultOf(name: string, content: string | Uint8Array): Promise<number | string> {
  const format = formatOf(name);
  if (!isLogFormat(format)) throw new Error(name);
  try {
    const { readings } = await readAllBatches(decodeLog(content, { format, chunkBytes: 7, now: LOG_NOW_MS }));
    return readings.filter(({ signals }) => signals.Soc1 === 50).length;
  } catch (error) {
    if (error instanceof LogError) return error.message;
    throw error;
  }
}

const SECONDS = Array.from({ length: 5 }, (_, n) => LOG_START_SECONDS + n);
const lines = (line: (second: number) => string, end = '\n') => SECONDS.map((s) => line(s) + end).join('');
const iso = (second: number) => new Date(second * 1000).toISOString();
const rows = (separator: string, value = '50') => lines((s) => `${iso(s)}${separator}${value}`);
const bigEndian = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
const halves = `time,Soc1\n${rows(',')}`;

test.each<[string, string | Uint8Array, number]>([
  ['returns.log', lines((s) => socLine(s, '64').trim(), '\r'), 5],
  ['returns.csv', `time,Soc1\r${rows(',').replaceAll('\n', '\r')}`, 5],
  ['pipe.csv', `sep=|\ntime|Soc1\n${rows('|')}`, 5],
  ['comments.csv', `# made by me\n# "Soc1" in %\ntime;Soc1\n${rows(';', '50,0')}`, 5],
  ['empty last cell.csv', `time;Soc1\n${rows(';', '50;')}`, 5],
  ['tab.csv', `time\tSoc1\tx\n${rows('\t', '50,0\t1')}`, 5],
  ['high byte first.csv', bigEndian(`time;Soc1\n${rows(';', '50,0')}`), 5],
  ['high byte first.csv.gz', gzipSync(bigEndian(`sep=;\ntime;Soc1\n${rows(';', '50,0')}`)), 5],
  ['high byte first.log', bigEndian(lines((s) => socLine(s, '64').trim())), 5],
  ['NaN between.csv', `time,Soc1,x\n${rows(',', '50,NaN')}`, 5],
  ['Infinity between.csv', `time,Soc1,x\n${rows(',', '50,-Infinity')}`, 5],
  ['null between.csv', `time,Soc1,x\n${rows(',', '50,null')}`, 5],
  ['another separator.csv', halves + rows(';').replaceAll('2026', '2027'), 5],
  ['a candump behind.csv', halves + lines((s) => socLine(s, '64').trim()), 5],
  ['a GVRET behind.log', `${lines((s) => socLine(s, '64').trim())}Time Stamp,ID,Extended\n1,2,3\n`, 5],
  ['a negative time between.csv', `time,Soc1\n-3,50\n${rows(',')}-1,50\n`, 5],
  ['two names of one signal.csv', `time,Soc1,Soc1\n${rows(',', '50,60')}`, 5],
])('the readable lines of %s are read (52.1, 52.3)', async (name, content, count) => {
  expect(await resultOf(name, content)).toBe(count);
});

const candump = lines((s) => socLine(s, '64').trim());
test.each<[string, string | Uint8Array, RegExp]>([
  ['candump.csv', candump, /dit is een log van candump: geef het een naam op \.log/],
  ['candump.asc', candump, /een log van candump/],
  ['vector.log', 'date Fri Nov 20 09:00:00.000 am 2026\n0.1 1 201 Rx d 1 64\n', /ASC-bestand .* op \.asc/],
  ['peak.txt', ';$FILEVERSION=1.1\n;$STARTTIME=46346.375\n 1) 0.0 Rx 0201 1 64\n', /TRC-bestand .* op \.trc/],
  ['gvret.log', 'Time Stamp,ID,Extended,Dir,Bus,LEN,D1\n1,201,false,Rx,0,1,64\n', /CSV-bestand/],
  ['wide.txt', `time;Soc1\n${rows(';')}`, /CSV-bestand: geef het een naam op \.csv/],
  ['mf4.log', 'UnFinMF 4.11 and more\n', /MF4-bestand/],
  ['blf.asc', 'LOGG and more\n', /BLF-bestand/],
  ['sheet.csv', `PK\u0003\u0004${'\u0001'.repeat(2000)}`, /ZIP- of Excelbestand/],
  ['busmaster.log', '***BUSMASTER Ver 3.2.2***\n9:00:01:0000 Rx 1 0x201 s 1 64\n', /log van BUSMASTER/],
  ['kvaser.txt', '      Kvaser Memorator Log\n 0 00000201  1  64  0.0 R\n', /log van Kvaser/],
  ['cl2000.txt', '# Logger type: CL2000\nTimestamp;Type;ID;Data\n0;0;201;64\n', /CL1000, CL2000 of CL3000/],
  ['cl2000.csv', '# Logger type: CL2000\nTimestamp;Type;ID;Data\n0;0;201;64\n', /CL1000, CL2000 of CL3000/],
  ['slcan.log', 't201164\nt201165\n', /log van SLCAN/],
  ['nmea.log', '$GPRMC,090000,A,5205.000,N,00506.000,E,0.0,0.0,201126,,*00\n', /NMEA-zinnen/],
  ['lines.log', '{"GMT_UNIX":1795161600,"Soc1":50}\n', /JSON-bestand/],
  ['login.csv', '<!DOCTYPE html><html>\n', /webpagina/],
  ['track.csv', '<?xml version="1.0"?>\n<gpx>\n', /GPX-bestand/],
  ['Time;Bus;ID.csv', 'Time,Bus,ID,DLC,Data\n1795161600,0,0x201,1,64\n', /CSV: dit zijn CAN-frames/],
  ['kvaser.csv', 'Time,Channel,ID,Flags,DLC,Data0,Data1\n0.1,0,513,,1,100,\n', /CSV: dit zijn CAN-frames/],
  [
    'channel.csv',
    'timestamp,arbitration_id,extended,remote,error,dlc,data,channel\n',
    /CSV: dit zijn CAN-frames/,
  ],
  ['canedge.csv', 'TimestampEpoch;BusChannel;ID;IDE;DLC;DataLength;DataBytes\n', /CSV: dit zijn CAN-frames/],
  ['spy.csv', 'Line,Abs Time(Sec),Arb ID,Remote,Xtd,B1,B2\n', /CSV: dit zijn CAN-frames/],
  ['nothing.csv', '\n\n', /CSV: het bestand is leeg/],
  ['damaged.log', 'no line of a log\n', /geen enkele leesbare regel: regel 1 is ‘no line of a log’/],
])('the message about %s says in one sentence what the file is (52.1)', async (name, content, sentence) => {
  expect(await resultOf(name, content)).toMatch(sentence);
});
