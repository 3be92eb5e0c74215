import { NOUNS } from '#server/test/security/principals/nouns.ts';
import { type FieldValues, TEXT_FIELD_VALUES } from '#server/test/security/principals/tested-noun.ts';
import { dataUrl, FUZZ_DBC, ODD_FILES, pdfOfWord, photo } from './files.ts';
import { FUZZ_NAMES, PASSWORD, RESET_CODE, RESET_TOKEN } from './names.ts';
import { CLOSED_WEEK_MONDAY } from './readings.ts';
import type { FuzzPrincipal } from './request.ts';
import { EXTREME_TIMES } from './values.ts';
import type { FuzzWorld } from './world.ts';

const MOMENTS = ['-24h', '-30d', '-90m', '-1h', '2026-11-21T08:00:00+01:00', '2020-01-01T00:00:00Z'];
const MANY_DAYS = Array.from({ length: 400 }, (_, n) =>
  new Date(Date.UTC(2025, 0, 1 + n)).toISOString().slice(0, 10),
);
const NEW_EMAILS = Array.from({ length: 40 }, (_, n) => `nieuw${n}@klant.nl`);
const NEW_SERIALS = Array.from({ length: 40 }, (_, n) => `NW-${n}`);

/**
 * Returns the values to choose from for each field, by the name of the parameter or property. An administrator's call that changes data
 * only gets names of data that `world.mend` recreates, so that other requests still find their data. Calls of other people also get
 * names of other organizations' data.
 */
export function fuzzFieldValues(
  world: FuzzWorld,
  { path, changes, who }: { readonly path: string; readonly changes: boolean; readonly who: FuzzPrincipal },
): Readonly<Record<string, FieldValues>> {
  const breaks = changes && who === 'admin' && !path.endsWith('config/download');
  const others = who === 'admin' ? [] : FUZZ_NAMES.foreignSerials;
  const serials = breaks
    ? ['W-1', 'W-1', ...FUZZ_NAMES.spareSerials, 'F-999']
    : ['F-1', 'F-1', 'F-1', ...FUZZ_NAMES.serials, ...others, 'F-999'];
  const loggerids = breaks
    ? [...FUZZ_NAMES.spareLoggerids, 'L-999']
    : ['L-1', 'L-1', ...FUZZ_NAMES.loggerids, ...others];
  const foreignOrganizations = who === 'admin' ? [] : FUZZ_NAMES.foreignOrganizations;
  const organizations = [...FUZZ_NAMES.organizations, ...foreignOrganizations, 'geen'];
  const emails = breaks
    ? [...FUZZ_NAMES.spareEmails, 'niemand@x.nl']
    : [...FUZZ_NAMES.emails, ...FUZZ_NAMES.spareEmails, ...(who === 'admin' ? [] : FUZZ_NAMES.foreignEmails)];
  const isReport = path.startsWith('/api/report/');
  const isClosedWeek = path.startsWith('/api/machine/closed-week/');
  const serial: FieldValues = {
    good: isClosedWeek
      ? ['F-1']
      : path.startsWith('/api/machine/writer/health')
        ? [...serials, ...loggerids]
        : serials,
    ...(isClosedWeek && { odd: serials }),
  };
  const moment: FieldValues = { good: MOMENTS, odd: EXTREME_TIMES };
  const text = TEXT_FIELD_VALUES;
  const organization: FieldValues = { good: organizations };
  const logger: FieldValues = {
    good: ['', '', '6100002', '6100003', '6100004', '6100005', '6100006', '6100007'],
    odd: ['6100001', '6999991', '0', '61000022'],
  };
  const password: FieldValues = { good: [PASSWORD], odd: ['kort', 'x'.repeat(1_001), '😀'.repeat(9)] };
  const name = /^\/api\/(webhook|workweek|contact)/.test(path)
    ? { good: FUZZ_NAMES.organizations, odd: foreignOrganizations }
    : path.startsWith('/api/organization')
      ? {
          good: path.endsWith('create') ? ['nieuw-1', 'wegwerp-1'] : FUZZ_NAMES.spareOrganizations,
          odd: ['admin', 'Admin ', 'аdmin'],
        }
      : { good: ['foto.png', 'Handleiding.pdf'], odd: ['../../x.png', 'a\r\nb.html', 'x'.repeat(300)] };
  return {
    ...Object.assign({}, ...NOUNS.map((noun) => noun.fields)),
    serialNumber: serial,
    serial,
    serienummer: serial,
    id: { good: [...serials, ...loggerids] },
    merk: { good: [...serials, 'Eigen F-1', 'Eigen Volta Eigen F-1'] },
    machine_serial: {
      good: !breaks ? serials : path.endsWith('create') ? NEW_SERIALS : FUZZ_NAMES.spareSerials,
      odd: ['nieuw', '.'],
    },
    current_serial: { good: breaks ? FUZZ_NAMES.spareSerials : serials },
    dbc_machine: { good: ['', '', 'F-1'], odd: [...others, 'Volta Eigen'] },
    dbcserienummer: { good: ['', 'F-1'], odd: others },
    influx_serial: logger,
    influxserienummer: logger,
    loggerid: { good: path.endsWith('new') ? ['WL-1', 'NL-1', '6200001'] : loggerids },
    machineOrg: organization,
    bedrijf: { good: ['klant', 'wegwerp-1'], odd: organizations },
    organization: isClosedWeek ? { good: ['klant'], odd: organizations } : organization,
    brand: text,
    model: text,
    alias: {
      good: path.includes('berend/get') ? ['Rail L-1', ''] : [...['Volta', 'EX 14'], 'Weg W-1', 'Weg W-2'],
    },
    clean: text,
    version: {
      good: path.startsWith('/api/machine/edit')
        ? ['1', '2', '3']
        : /^\/api\/(project|terrein)/.test(path)
          ? [1]
          : [1, 2, 3],
      odd: ['x', '99999999999999999999'],
    },
    email: {
      good: path.endsWith('register') ? NEW_EMAILS : emails,
      odd: ['a', '@', 'a@b', 'a@b.nl\r\nBcc: c@d.nl'],
    },
    password,
    newPassword: password,
    new: password,
    // The present password is never sent: the password would be changed, which would end the sessions of the other requests.
    present: { good: ['a guess', ''] },
    organizationCode: { good: world.known.codes, odd: ['GEEN', ...(who === 'admin' ? [] : ['admin'])] },
    code: { good: [RESET_CODE, RESET_CODE, ...world.known.codes] },
    name,
    start: moment,
    stop: moment,
    end: { good: ['-1h', '-1m', '2026-11-21T09:00:00+01:00', '2020-01-02T00:00:00Z'], odd: EXTREME_TIMES },
    hash: { good: path.includes('img') ? world.known.photos : world.known.manuals },
    token: { good: path.startsWith('/api/auth') ? [RESET_TOKEN] : world.known.tokens },
    file: {
      good: [
        dataUrl(path.includes('img') ? photo(7) : path.includes('manual') ? pdfOfWord('Boek') : FUZZ_DBC),
      ],
      odd: ODD_FILES,
    },
    _id: { good: Array.from({ length: 40 }, (_, n) => n + 1), odd: [2 ** 31, -1, 2 ** 53] },
    to: {
      good: isReport ? ['2026-11-21', '2026-11-30'] : ['Soc1', 'BatteryVoltage', 'CelTemp', 'eigen naam'],
      odd: ['2019-01-01', '2026-02-30'],
    },
    firstDay: {
      good: /^\/api\/(report-factor|charging-tariff)/.test(path) ? MANY_DAYS : ['2026-01-01', '2026-10-25'],
      odd: ['2026-02-30', '2099-12-31', 'x'],
    },
    lastDay: { good: ['2026-11-21', null], odd: ['2025-12-31', '2026-13-01'] },
    lat: { good: [52, 52.001, 52.002], odd: [89, -90.1] },
    lon: { good: [5, 5.001, 5.003], odd: [179.9, 180.1] },
    areas: {
      good: [
        [],
        [{ centre: { lat: 52, lon: 5 }, radiusMetres: 50 }],
        [{ corners: [52, 52.001, 52.002].map((lat, n) => ({ lat, lon: 5 + (n % 2) / 1_000 })) }],
      ],
    },
    from: isReport
      ? { good: ['2026-10-01', '2026-11-01'], odd: ['2026-11-31', '2020-01-01'] }
      : { good: ['2026-11-01T08:00:00Z', '2026-11-02T08:00:00Z'], odd: EXTREME_TIMES },
    until: path.endsWith('/mute')
      ? { good: ['hour', 'tomorrow', 'ever'], odd: ['x'] }
      : { good: ['2026-11-01T09:00:00Z', '2026-11-02T09:00:00Z', null], odd: EXTREME_TIMES },
    monday: { good: [CLOSED_WEEK_MONDAY], odd: ['2026-06-09', '2026-02-30', 'x'] },
    month: { good: ['2026-10', '2026-11'], odd: ['2026-13', '11'] },
    kind: path.startsWith('/api/alert')
      ? { good: ['silent', 'low'], odd: ['x'] }
      : { good: ['inzet', 'dagstaten', 'draaiuren', 'laadbeurten'], odd: ['route', 'metingen', 'geen'] },
    machines: path.startsWith('/api/alert')
      ? {
          good: [{ by: 'all' }, { by: 'chosen', serials: ['F-1'] }],
          odd: [{ by: 'x' }, { by: 'labels', ids: [-1] }],
        }
      : { good: isReport ? ['["F-1"]'] : [['F-1'], null], odd: ['[', '{}', '[1]', [[]]] },
    projects: { good: isReport ? ['[1]', '[2,3]'] : [[1], null], odd: ['[', '["x"]', [-1]] },
    labels: { good: isReport ? ['[1]', '[2,3]'] : [[1], null], odd: ['[', '["x"]', [-1]] },
  };
}
