import { expect, test } from 'vitest';
import type { MachineDetails } from '#shared/contract/machines.ts';
import { EMPTY_DRAFT, machineParameters } from './machine-draft.ts';
import { wasMadeByForm } from './made-before.ts';

/** SENT: a machine as the form sends it. MADE: the same machine as the server stores it. */
const SENT = machineParameters({
  ...EMPTY_DRAFT,
  organization: 'de-boer',
  loggerSerial: '0001234',
  serial: ' VO-1 ',
  brand: 'Volta',
  alias: 'Kraan 1',
  model: 'EX-1',
  macaddress: 'aabbccddeeff',
  initialHours: '1250,50',
  batteries: ['90,5', ''],
  accessories: [{ name: ' Bak', number: 7 }],
  registrationNumber: ' V-12-ABC ',
  sebCategory: 'A',
  powerKw: '55,50',
});
const MADE: MachineDetails = {
  _id: 1,
  brand: 'Volta',
  alias: 'Kraan 1',
  model: 'EX-1',
  serialNumber: 'VO-1',
  organization: 'de-boer',
  cleanorg: 'De Boer',
  loggerId: '',
  macaddress: 'AA:BB:CC:DD:EE:FF',
  hulpstukken: [{ naam: 'Bak', nummer: 7 }],
  batteries: [{ capacity: 90.5 }, { capacity: null }],
  urenstand: 1250.5,
  kenteken: 'V-12-ABC',
  seb_categorie: 'A',
  vermogen: 55.5,
  dbc_machine: '',
  version: 1,
};

test('a machine that an earlier attempt created is recognized when its response was lost (MEDIT-05, 12.C5)', () => {
  expect(wasMadeByForm(MADE, SENT, false)).toBe(true);
  expect(wasMadeByForm({ ...MADE, loggerId: '0001234' }, SENT, true)).toBe(true);
});

test.each<[string, Partial<MachineDetails>]>([
  ['that reports already', { loggerId: '0001234' }],
  ['with another logger', { loggerId: '7777777' }],
  ['that was changed since', { version: 2 }],
  ['of another organization', { organization: 'jansen' }],
  ['with another name', { alias: 'Kraan 2' }],
  ['with other accessories', { hulpstukken: [] }],
  ['with another power', { vermogen: 55 }],
  ['with another reference', { dbc_machine: 'VO-0' }],
])('a machine %s is not taken for the one of an earlier try (MEDIT-06, 12.C5)', (_, changes) => {
  expect(wasMadeByForm({ ...MADE, ...changes }, SENT, false)).toBe(false);
});
