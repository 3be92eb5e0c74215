import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDefinition, setWriterDefinition } from '#server/definitions/definitions.store.ts';
import { releaseWriter } from '#server/writers/writers.store.ts';
import type { Definition, Mapping } from '#shared/contract/definition.ts';
import { RxdFile } from '#shared/demo/rxd-file.ts';
import { type FleetLogger, TestFleet } from './test/fleet.ts';
import { CANDUMP_DEFINITION, candumpLineAt } from './test/logs.ts';

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open();
});
afterAll(() => fleet.close());

const outcomeOf = async (logger: FleetLogger, name: string): Promise<string> =>
  String(await fleet.outcomes(logger, name));
const mapped = (mapping: Partial<Mapping>): Definition => ({
  ...CANDUMP_DEFINITION,
  mapping: { signals: [], keep: [], ...mapping },
});
const seconds = () => Math.floor(fleet.clock / 1000);
const frame = (second: number, rest: string): string => `(${second}.000000) can0 ${rest}\n`;

test.each<[string, string, Definition | undefined, () => string | Buffer, string | RegExp]>([
  ['an empty file', 'a.log', CANDUMP_DEFINITION, () => Buffer.alloc(0), '0 metingen; het bestand is leeg'],
  ['an empty gzip', 'a.log.gz', CANDUMP_DEFINITION, () => gzipSync(''), '0 metingen; het bestand is leeg'],
  [
    'a CSV of its first row alone',
    'a.csv',
    undefined,
    () => 'time;Soc1\n',
    '0 metingen; het bestand is leeg',
  ],
  [
    'lines that cannot be read',
    'a.log',
    CANDUMP_DEFINITION,
    () => 'hallo\n',
    /^0 metingen; Het logbestand heeft geen enkele leesbare regel: regel 1 is ‘hallo’; verwacht wordt een regel zoals/,
  ],
  [
    'no definition',
    'a.log',
    undefined,
    () => candumpLineAt(seconds() - 60),
    '0 metingen; er is geen datadefinitie (DBC) voor deze logger: upload een DBC-bestand en decodeer daarna de logbestanden opnieuw',
  ],
  [
    'nothing mapped',
    'a.log',
    mapped({}),
    () => candumpLineAt(seconds() - 60),
    '0 metingen; de datadefinitie koppelt geen enkel signaal: koppel de signalen en decodeer daarna de logbestanden opnieuw',
  ],
  [
    'no message of the DBC',
    'a.log',
    CANDUMP_DEFINITION,
    () => frame(seconds() - 60, '7FF#00') + frame(seconds() - 50, '7FE#00'),
    '0 metingen; geen van de 2 frames staat in het DBC-bestand van zijn CAN-bus (2 onbekende identifiers): controleer of het DBC-bestand bij deze machine en deze bus hoort en decodeer daarna de logbestanden opnieuw',
  ],
  [
    'no mapped message',
    'a.log',
    mapped({ signals: [{ signal: 'Rpm', to: 'MotorSpeed' }] }),
    () => candumpLineAt(seconds() - 60),
    '0 metingen; geen van de 2 frames heeft een signaal dat de datadefinitie koppelt of bewaart: koppel de signalen en decodeer daarna de logbestanden opnieuw',
  ],
  [
    'values that cannot be',
    'a.log',
    mapped({ signals: [{ signal: 'PackSoc', to: 'Soc1', factor: 100 }] }),
    () => candumpLineAt(seconds() - 60),
    '0 metingen; geen van de 2 frames heeft een bruikbare waarde: controleer de factor en offset van de koppeling en decodeer daarna de logbestanden opnieuw; 2 waarden zijn onmogelijk en weggelaten',
  ],
  [
    'a clock that runs ahead',
    'a.log',
    CANDUMP_DEFINITION,
    () => candumpLineAt(seconds() + 86_400),
    '0 metingen; alle tijden in het bestand zijn onmogelijk (voor 2015 of in de toekomst): zet de klok van de logger gelijk',
  ],
  [
    'reports of errors only',
    'a.log',
    CANDUMP_DEFINITION,
    () => frame(seconds() - 60, '20000004#00'),
    '0 metingen; het bestand heeft alleen fouten en verzoeken van de CAN-bus: controleer de aansluiting en de snelheid van de CAN-bus',
  ],
  [
    'a damaged file',
    'a.log.gz',
    CANDUMP_DEFINITION,
    () => gzipSync(candumpLineAt(seconds() - 60)).subarray(0, 20),
    '0 metingen; Het gzip-bestand is afgekapt; wat ervoor stond is gelezen.',
  ],
  [
    'an .rxd of a logger whose clock stands in 1980',
    'WS_0000001_19800106_000000.rxd',
    CANDUMP_DEFINITION,
    () => {
      const file = new RxdFile({ name: 'WS', buses: [0], gnss: ['LATITUDE', 'LONGITUDE'] });
      file.addFrame({ tick: 0, bus: 0, id: 1, data: [80, 0] });
      file.addGnss(1, 'LATITUDE', 52);
      file.addGnss(1, 'LONGITUDE', 5);
      return Buffer.from(file.toBytes());
    },
    '0 metingen; alle tijden in het bestand zijn onmogelijk (voor 2015 of in de toekomst): zet de klok van de logger gelijk',
  ],
  [
    'an encrypted log',
    'a.rxe',
    CANDUMP_DEFINITION,
    () => 'x',
    'Dit .rxe-bestand heeft de logger versleuteld (RSA) en kan niet gelezen worden: zet EncryptDataLog uit in de configuratie van de logger.',
  ],
])('a log file without readings shows the reason: %s (55.22)', async (_, name, own, body, outcome) => {
  const logger = await fleet.newLogger(own);
  await fleet.put(logger, name, body());
  const shown = await outcomeOf(logger, name);
  if (typeof outcome === 'string') expect(shown).toBe(outcome);
  else expect(shown).toMatch(outcome);
});

test('the outcome of a log from before the first mapping advises to decode the log files again (55.22)', async () => {
  const { pool } = fleet.portal;
  const logger = await fleet.newLogger(mapped({}));
  await setWriterDefinition(
    pool,
    logger.writerId,
    await createDefinition(pool, { streamId: logger.streamId, madeBy: undefined }, CANDUMP_DEFINITION),
  );
  await fleet.portal.untilNotified();
  await fleet.put(logger, 'a.log', candumpLineAt(seconds() - 3_600));
  expect(await outcomeOf(logger, 'a.log')).toBe(
    '0 metingen; de datadefinitie van toen koppelt geen enkel signaal: decodeer de logbestanden opnieuw om de huidige datadefinitie te gebruiken',
  );
});

test('the outcome of a log without readings says that the logger was bound to no machine at the time (55.22)', async () => {
  const { pool } = fleet.portal;
  const at = seconds();
  const before = await fleet.newLogger(CANDUMP_DEFINITION, new Date((at - 7_200) * 1000));
  await releaseWriter(pool, before.streamId, new Date((at - 3_600) * 1000));
  const streamId = await fleet.portal.machine(fleet.organization, { serial: `${before.serialNumber}-B` });
  const now = {
    ...(await fleet.portal.logger(
      streamId,
      before.loggerSerial,
      CANDUMP_DEFINITION,
      new Date((at - 600) * 1000),
    )),
    serialNumber: `${before.serialNumber}-B`,
  };
  await fleet.portal.untilNotified();
  await fleet.put(now, 'a.log', candumpLineAt(at - 1_800));
  expect(await outcomeOf(now, 'a.log')).toMatch(
    /^0 metingen; de logger was toen \(\d\d-\d\d-\d\d, \d\d:\d\d\) aan geen machine gekoppeld, en de metingen horen bij geen machine$/,
  );
  // A file without decoded frames gets this finding too, because its frames are from the time without a machine.
  await fleet.put(now, 'b.log', frame(at - 1_800, '7FF#00'));
  expect(await outcomeOf(now, 'b.log')).toMatch(/aan geen machine gekoppeld/);
});

test('the outcome of a log with some impossible times also says why the rest gave no readings (55.22)', async () => {
  const logger = await fleet.newLogger(CANDUMP_DEFINITION);
  await fleet.put(logger, 'a.log', frame(seconds() - 60, '7FF#00') + frame(seconds() + 86_400, '7FF#00'));
  expect(await outcomeOf(logger, 'a.log')).toMatch(
    /^0 metingen; \d van de \d hebben een onmogelijke tijd .*; geen van de 2 frames staat in het DBC-bestand/,
  );
});

test('the outcome of a log with readings quotes the first line that cannot be read (55.22)', async () => {
  const logger = await fleet.newLogger(CANDUMP_DEFINITION);
  await fleet.put(logger, 'a.log', `${candumpLineAt(seconds() - 60)}hallo\n`);
  expect(await outcomeOf(logger, 'a.log')).toMatch(
    /^2 metingen; 1 regel is niet gelezen: regel 3 is ‘hallo’; verwacht wordt een regel zoals/,
  );
});
