import { expect, test } from 'vitest';
import type { MachineDetails } from '#shared/contract/machines.ts';
import {
  differingFieldLabels,
  draftErrors,
  EMPTY_DRAFT,
  isChanged,
  type MachineDraft,
  machineDraftOf,
  machineParameters,
  rebaseMachineDraft,
  unsentAccessoryText,
} from './machine-draft.ts';
import { FIELDS, FORM_ORDER } from './machine-fields.ts';

const GOOD: MachineDraft = {
  ...EMPTY_DRAFT,
  organization: 'de-boer',
  loggerSerial: '0001234',
  serial: 'VO-1',
  brand: 'Volta',
  alias: 'Kraan 1',
  model: 'EX-1',
  macaddress: '000 00 AS0 A0000',
};
const NEW = { isNew: true };
const EDIT = { isNew: false };

test.each([
  [GOOD, NEW, undefined],
  [GOOD, EDIT, undefined],
  [{ ...GOOD, organization: '' }, NEW, 'Kies een organisatie.'],
  [{ ...GOOD, loggerSerial: '123456' }, NEW, /7 cijfers/],
  [{ ...GOOD, loggerSerial: '' }, EDIT, undefined],
  [{ ...GOOD, serial: 'a/b' }, NEW, /^Machine serienummer mag alleen/],
  [{ ...GOOD, serial: '...' }, NEW, /punten/],
  [{ ...GOOD, serial: 'nieuw' }, NEW, /'nieuw'/],
  [{ ...GOOD, serial: 'x'.repeat(65) }, NEW, /64 tekens/],
  [{ ...GOOD, alias: '<b>' }, NEW, /^Naam mag alleen/],
  [{ ...GOOD, macaddress: ' ' }, NEW, /MAC-adres ontbreekt/],
  [{ ...GOOD, macaddress: '' }, EDIT, undefined],
  [{ ...GOOD, initialHours: '' }, NEW, undefined],
  [{ ...GOOD, initialHours: '1.234,5' }, NEW, undefined],
  [{ ...GOOD, initialHours: '1e9' }, NEW, /Urenstand/],
  [{ ...GOOD, initialHours: '-1' }, NEW, /Urenstand/],
  [{ ...GOOD, batteries: ['90,5', '', '100'] }, NEW, undefined],
  [{ ...GOOD, batteries: ['90', '0'] }, NEW, /accu 2/],
  [{ ...GOOD, batteries: ['veel'] }, NEW, /accu 1/],
  [{ ...GOOD, registrationNumber: '', sebCategory: '', powerKw: ' ' }, NEW, undefined],
  [{ ...GOOD, registrationNumber: 'x'.repeat(21) }, NEW, /20 tekens/],
  [{ ...GOOD, powerKw: '0,1' }, NEW, undefined],
  [{ ...GOOD, powerKw: '0' }, NEW, /^Continu vermogen/],
  [{ ...GOOD, powerKw: '-5' }, NEW, /^Continu vermogen/],
  [{ ...GOOD, powerKw: '1e9' }, NEW, /^Continu vermogen/],
  [{ ...GOOD, accessoryName: 'Bak', accessoryNumber: '12abc' }, NEW, undefined],
] as const)(
  'the form finds the error that keeps it from being sent: case %# (MEDIT-01, MEDIT-03, MEDIT-07, MEDIT-14, 14.3p)',
  (draft, rules, error) => {
    const found = draftErrors(draft, rules).map(({ message }) => message);
    if (error === undefined) expect(found).toEqual([]);
    else expect(found).toEqual([expect.stringMatching(error)]);
  },
);

test('an empty form gives all errors in the order of its inputs, each with the name of its input (MEDIT-01, 12.C7)', () => {
  expect(draftErrors(EMPTY_DRAFT, NEW).map(({ name, message }) => [name, message])).toEqual([
    ['organization', 'Kies een organisatie.'],
    ['influx_Serienummer', 'Influx serienummer moet uit 7 cijfers bestaan.'],
    ['machine_Serienummer', 'Machine serienummer ontbreekt.'],
    ['machine_Merk', 'Merk ontbreekt.'],
    ['machine_Model', 'Model ontbreekt.'],
    ['machine_Naam', 'Naam ontbreekt.'],
    ['macaddress', 'MAC-adres ontbreekt.'],
  ]);
});

test('the form sends capacities as numbers or null, and an accessory that is typed completely but not added (MEDIT-03, MEDIT-14)', () => {
  const sent = machineParameters({
    ...GOOD,
    batteries: ['90,5', ' '],
    accessories: [{ name: 'Bak', number: 1 }],
    accessoryName: ' Vork ',
    accessoryNumber: '-2',
  });
  expect(JSON.parse(sent.batteries)).toEqual([{ capacity: 90.5 }, { capacity: null }]);
  expect(JSON.parse(sent.hulpstukken)).toEqual([
    { naam: 'Bak', nummer: 1 },
    { naam: 'Vork', nummer: -2 },
  ]);
  const typed = machineParameters({ ...GOOD, accessoryName: 'Vork', accessoryNumber: '1e9' });
  expect(JSON.parse(typed.hulpstukken)).toEqual([]);
  expect(unsentAccessoryText({ ...GOOD, accessoryName: 'Vork', accessoryNumber: '1e9' })).toMatch(
    /‘Vork’ is niet/,
  );
  expect(unsentAccessoryText({ ...GOOD, accessoryName: 'Vork', accessoryNumber: '2' })).toBeUndefined();
  expect(unsentAccessoryText({ ...GOOD, accessoryNumber: '12abc' })).toBeUndefined();
});

const DETAILS: MachineDetails = {
  _id: 1,
  brand: 'Volta',
  alias: 'Kraan 1',
  model: 'EX-1',
  serialNumber: 'VO-1',
  organization: 'de-boer',
  cleanorg: 'De Boer',
  loggerId: '0001234',
  macaddress: '',
  hulpstukken: [{ naam: 'Bak', nummer: 7 }],
  batteries: [{ capacity: 90.5 }, { capacity: null }],
  urenstand: 12.5,
  kenteken: 'V-12-ABC',
  seb_categorie: 'C',
  vermogen: 55.5,
  dbc_machine: 'VO-0',
  version: 3,
};

test('a prefilled form that nobody changed is sent as it was loaded (MEDIT-07)', () => {
  const draft = machineDraftOf(DETAILS);
  expect(draftErrors(draft, EDIT)).toEqual([]);
  expect(machineParameters(draft)).toEqual({
    bedrijf: 'de-boer',
    influx_serial: '0001234',
    machine_serial: 'VO-1',
    brand: 'Volta',
    alias: 'Kraan 1',
    model: 'EX-1',
    dbc_machine: 'VO-0',
    macaddress: '',
    urenstand: '12,5',
    kenteken: 'V-12-ABC',
    seb_categorie: 'C',
    vermogen: '55,5',
    batteries: '[{"capacity":90.5},{"capacity":null}]',
    hulpstukken: '[{"naam":"Bak","nummer":7}]',
  });
});

test('FORM_ORDER contains every field of the machine form once (MEDIT-01, 11.4)', () => {
  expect([...FORM_ORDER].sort()).toEqual(Object.keys(FIELDS).sort());
});

test('after another user’s save, the form keeps typed fields and takes the others from the saved machine (MEDIT-07)', () => {
  const base = machineDraftOf(DETAILS);
  const mine = { ...base, alias: 'Mijn naam', batteries: ['1'] };
  const theirs = machineDraftOf({ ...DETAILS, alias: 'Hun naam', model: 'EX-2' });
  expect(isChanged(base, machineDraftOf(DETAILS))).toBe(false);
  expect(isChanged(mine, base)).toBe(true);
  expect(differingFieldLabels(base, theirs)).toEqual(['Naam', 'Model']);
  expect(rebaseMachineDraft(mine, base, theirs)).toEqual({ ...theirs, alias: 'Mijn naam', batteries: ['1'] });
});
