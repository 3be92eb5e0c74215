import { expect, test } from 'vitest';
import type { LiveEntry } from '#shared/contract/live.ts';
import { type FleetFilter, searchFleet } from './fleet-search.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const NOW_UNIX = NOW_MS / 1000;

/** Returns an entry of live data. @param names 'alias|brand|model|serial|logger' */
function entry(names: string, signals: Record<string, number> = {}): LiveEntry {
  const [alias = '', brand = '', model = '', serialNumber = '', loggerId = ''] = names.split('|');
  return {
    metadata: {
      kind: 'machine',
      serialNumber,
      organization: 'bouw',
      cleanorg: 'Bouw',
      alias,
      brand,
      model,
      macaddress: '',
      loggerId,
      batteries: [],
      hulpstukken: [],
    },
    liveData: { LATITUDE: 0, LONGITUDE: 0, GMT_UNIX: NOW_UNIX, ...signals },
  };
}

const FLEET = [
  entry('Grote Béér|Volvo|ECR25|VO-001'),
  entry('Kleine beer|Volvo|EC18|VO-002'),
  entry('Straße|Cat|ZE 10|0012|7104711'),
  entry('Ĳssel|Škoda|100 kWh|A.b_C'),
];
const found = (text: string) =>
  searchFleet(FLEET, text, 'all', NOW_MS).map(({ metadata }) => metadata.serialNumber);

test('a search finds a machine by the serial number of its logger (APP-08, 12.C7)', () => {
  expect(found('7104711')).toEqual(['0012']);
  expect(found('cat 4711')).toEqual(['0012']);
});

test.each<[string, string, string[]]>([
  ['nothing', '', ['VO-001', 'VO-002', '0012', 'A.b_C']],
  ['only spaces', ' \t ', ['VO-001', 'VO-002', '0012', 'A.b_C']],
  ['alias', 'kleine', ['VO-002']],
  ['brand', 'Volvo', ['VO-001', 'VO-002']],
  ['model', 'ecr25', ['VO-001']],
  ['serial number', 'vo-002', ['VO-002']],
  ['serial number as the portal writes it', '#0012', ['0012']],
  ['a lonely #', '#', ['VO-001', 'VO-002', '0012', 'A.b_C']],
  ['part of a word', 'eer', ['VO-001', 'VO-002']],
  ['an accent in the name, none in the question', 'beer', ['VO-001', 'VO-002']],
  ['an accent in the question, none in the name', 'bëér kleine', ['VO-002']],
  ['an accent apart from its letter', 'be\u0301er grote', ['VO-001']],
  ['capitals', 'GROTE', ['VO-001']],
  ['sharp s', 'STRASSE', ['0012']],
  ['a caron', 'skoda', ['A.b_C']],
  ['ij as one letter', 'ijssel', ['A.b_C']],
  ['all words must match', 'beer cat', []],
  ['in any order, over several fields', '001 volvo beer', ['VO-001']],
  ['too many spaces', '  ze    10 ', ['0012']],
  ['no word runs from one field into the next', 'beervolvo', []],
  ['signs that mean something to a regular expression', 'a.b_c', ['A.b_C']],
  ['signs that would match anything', '.*', []],
  ['nothing like it', 'zzz', []],
])('a search finds the machines that match: %s (APP-08)', (_, text, serials) => {
  expect(found(text)).toEqual(serials);
});

const RUNS = { MotorSpeed: 151 };
const CHARGES = { IsCharging1: 1, ChargingCurrent: 2 };
const SILENT = { GMT_UNIX: NOW_UNIX - 601 };
const STATES = [
  entry('aap|||runs', RUNS),
  entry('bok|||charges', { ...CHARGES, ...RUNS }),
  entry('aap|||off'),
  entry('bok|||ran', { ...RUNS, ...SILENT }),
  entry('aap|||never', { GMT_UNIX: 0 }),
];

test.each<[FleetFilter, string, string[]]>([
  ['all', '', ['runs', 'charges', 'off', 'ran', 'never']],
  ['running', '', ['runs']],
  ['charging', '', ['charges']],
  ['off', '', ['off']],
  ['silent', '', ['ran', 'never']],
  ['running', 'bok', []],
  ['silent', 'aap', ['never']],
  ['charging', 'aap', []],
])(
  'the status filter %s together with the words %j finds the machines that match both (APP-08, LIVE-05, LIVE-07, 15.1n)',
  (filter, text, serials) => {
    const shown = searchFleet(STATES, text, filter, NOW_MS);
    expect(shown.map(({ metadata }) => metadata.serialNumber)).toEqual(serials);
  },
);

test('a search without words or filter returns the given list itself (APP-08)', () => {
  expect(searchFleet(FLEET, ' ', 'all', NOW_MS)).toBe(FLEET);
});

test('a search finds a renamed machine by its new name only (APP-08)', () => {
  const [bear] = FLEET as [LiveEntry];
  const renamed = { ...bear, metadata: { ...bear.metadata, alias: 'Reus' } };
  expect(searchFleet([renamed], 'reus', 'all', NOW_MS)).toEqual([renamed]);
  expect(searchFleet([renamed], 'beer', 'all', NOW_MS)).toEqual([]);
});
