import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatOf, isLogFormat } from './telemetry/decode/log-file-name.ts';
import { ImportTestPortal } from './test/import-desk.ts';

/** Every log file of this folder is imported twice: with a DBC that fits the file, and without a DBC. */
const DATA = '../shared/data';
const FILES = existsSync(DATA)
  ? readdirSync(DATA, { recursive: true, encoding: 'utf8' })
      .filter((name) => isLogFormat(formatOf(name)))
      .sort()
  : [];
/** Files without importable readings, whatever the DBC, and the reason. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'field-cases/11-nothing-fits.log': /none of its 60 frames is in a DBC of its bus/,
  'field-cases/16-route-only.gpx': /^GPX of a route only/,
  'rail-nl/BBMS_WISSEL_KRUISING_LOCATIE_18.csv': /no column with a time/,
  'rail-nl/switches_wgs84_derived.csv': /no column with a time/,
};
const SOC_DBC = 'VERSION ""\nBO_ 513 Accu: 8 X\n SG_ Soc1 : 0|8@1+ (0.5,0) [0|100] "%" X\n';

let desk: ImportTestPortal;
beforeAll(async () => {
  desk = await ImportTestPortal.open();
  await desk.file('soc.dbc', SOC_DBC);
  await desk.file('soc.json', '{"Soc1": "Soc1"}');
});
afterAll(() => desk.close());

/** Returns the arguments for a DBC that fits the file. */
async function definitionOf(name: string): Promise<string[]> {
  const of = async (bus: string, dbc: string, signal: string) => [
    ...['--dbc', `${bus}=${dbc}`],
    ...['--mapping', await desk.file(`${signal}.json`, JSON.stringify({ [signal]: signal }))],
  ];
  if (name.startsWith('kona')) return of('can0', join(DATA, 'kona/pcan.dbc'), 'SocDisp');
  if (name.startsWith('canedge')) return of('can2', join(DATA, 'canedge/gnss.dbc'), 'Speed');
  if (name.includes('06-doubled-in'))
    return of('can0', join(DATA, 'field-cases/06-doubled-in-branches.dbc'), 'Soc1');
  if (name.includes('07-raw')) return of('can0', join(DATA, 'field-cases/07-raw-zero-pole.dbc'), 'LATITUDE');
  return of('can0', join(desk.folder, 'soc.dbc'), 'Soc1');
}

/** Files whose clock counts from power-on, which need a start. */
const needsStart = /kona|04-gvret|10-differences|18-gvret/;

test.skipIf(FILES.length === 0).each(FILES)(
  '%s gives readings, or the import says why not and exits with 1 (52.2)',
  async (name) => {
    const start = needsStart.test(name) ? ['--start', '2026-11-20T08:00:00Z'] : [];
    for (const definition of [await definitionOf(name), []]) {
      const serial = `D${FILES.indexOf(name)}${definition.length}`;
      const streamId = await desk.machine(serial);
      const output = await desk.run('--machine', serial, '--log', join(DATA, name), ...definition, ...start);
      const stored = await desk.storedIn(streamId);
      const sentence = REFUSED[name] ?? (definition.length > 0 ? undefined : /./);
      if (sentence && stored === 0) {
        expect(output).toMatchObject({ code: 1, stderr: expect.stringMatching(/\.\n$/) });
        if (definition.length > 0) expect(output.stderr).toMatch(sentence);
      } else {
        expect([stored > 0, output.code, output.stdout]).toEqual([
          true,
          0,
          expect.stringMatching(/^[1-9]\d* new readings;/),
        ]);
      }
    }
  },
);
