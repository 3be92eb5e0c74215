/** The fields of the machine form, each told once (MEDIT-01, MEDIT-07, MEDIT-14). */
import type { MachineDetails, MachineInput } from '#shared/contract/machines.ts';
import { type Accessory, addAccessory } from '#shared/domain/accessories.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import {
  type Checked,
  checkIdentifier,
  checkLoggerSerial,
  checkMacAddress,
  checkName,
  type LoggerKind,
} from '#shared/domain/identifiers.ts';
import { checkFreeText, checkPower, checkRegistrationNumber } from '#shared/domain/machine-values.ts';
import { exactNumber } from '#shared/domain/nl.ts';
import { readNumber } from '#shared/domain/typed-number.ts';
import { LOGGER_NUMBERS } from '#web/machines/logger-kind.tsx';

/**
 * `isNew`: a logger and a MAC address are required. Of a machine that is there, neither its logger nor its owner is typed.
 * `loggerKind`: of the logger that is typed.
 */
export type DraftRules = { readonly isNew: boolean; readonly loggerKind?: LoggerKind };
/** What stands in the inputs for one more accessory. */
export type HalfAccessory = { readonly accessoryName: string; readonly accessoryNumber: string };

/** How a field looks in the form. */
export type Look = {
  /** Its label, and what it is called when somebody else changed it. */
  readonly word: string;
  /** Where the label says more. */
  readonly label?: (rules: DraftRules) => string;
  /** Of an input that is no plain text (machine-inputs.tsx). */
  readonly kind?: 'organization' | 'reference' | 'batteries' | 'accessories' | 'seb-category';
  /** Of the input, or of all of them; what has none is told beside the button. */
  readonly name?: string;
  readonly isRequired?: (rules: DraftRules) => boolean;
  readonly isReadOnly?: (rules: DraftRules) => boolean;
  readonly description?: (rules: DraftRules) => string;
  readonly placeholder?: string;
  readonly inputMode?: (rules: DraftRules) => 'numeric' | 'text';
  /** Behind what is typed, in a field for a number. */
  readonly unit?: string;
};

export type Field<Wire extends keyof MachineInput, Value> = Look & {
  /** Its name in create and edit. */
  readonly wire: Wire;
  /** In a form for a new machine. */
  readonly empty: Value;
  /** In the form of this machine. */
  of(machine: MachineDetails): Value;
  /** As create and edit take it. */
  sent(value: Value, half: HalfAccessory): string;
  /** Why it cannot be sent, as a sentence. What the server alone can know is not looked at. */
  fault?(value: Value, rules: DraftRules): string | undefined;
};
const field = <const Wire extends keyof MachineInput, Value>(entry: Field<Wire, Value>) => entry;
/** One whose value is the text that is sent. */
const text = <const Wire extends keyof MachineInput>(
  entry: Omit<Field<Wire, string>, 'empty' | 'sent'> & { readonly empty?: string },
) => field<Wire, string>({ empty: '', sent: (value) => value.trim(), ...entry });

const always = () => true;
const faultOf = (checked: Checked<unknown>) => (checked.ok ? undefined : checked.reason);

/** In the order in which it is told what somebody else changed. */
export const FIELDS = {
  organization: text({
    wire: 'bedrijf',
    word: FIELD_TEXTS.bedrijf,
    kind: 'organization',
    name: 'organization',
    of: ({ organization }) => organization,
    fault: (name) => (name === '' ? 'Kies een organisatie.' : undefined),
  }),
  loggerSerial: text({
    wire: 'influx_serial',
    word: FIELD_TEXTS.influx_serial,
    name: 'influx_Serienummer',
    label: ({ loggerKind }) =>
      loggerKind === 'canedge' ? LOGGER_NUMBERS.canedge.word : FIELD_TEXTS.influx_serial,
    description: ({ isNew, loggerKind = 'rexgen' }) =>
      isNew
        ? LOGGER_NUMBERS[loggerKind].description
        : 'Koppelen, vervangen of loskoppelen: in de vakken over de logger',
    inputMode: ({ loggerKind = 'rexgen' }) => LOGGER_NUMBERS[loggerKind].inputMode,
    isRequired: ({ isNew }) => isNew,
    isReadOnly: ({ isNew }) => !isNew,
    of: ({ loggerId }) => loggerId,
    fault: (serial, { isNew, loggerKind }) =>
      isNew ? faultOf(checkLoggerSerial(serial, loggerKind)) : undefined,
  }),
  serial: text({
    wire: 'machine_serial',
    word: FIELD_TEXTS.machine_serial,
    name: 'machine_Serienummer',
    description: () => 'Op de machine zelf',
    isRequired: always,
    of: ({ serialNumber }) => serialNumber,
    fault: (serial) => faultOf(checkIdentifier(serial, FIELD_TEXTS.machine_serial)),
  }),
  brand: text({
    wire: 'brand',
    word: FIELD_TEXTS.brand,
    name: 'machine_Merk',
    isRequired: always,
    of: ({ brand }) => brand,
    fault: (brand) => faultOf(checkFreeText(brand, FIELD_TEXTS.brand, 64)),
  }),
  alias: text({
    wire: 'alias',
    word: FIELD_TEXTS.alias,
    name: 'machine_Naam',
    isRequired: always,
    of: ({ alias }) => alias,
    fault: (alias) => faultOf(checkName(alias, FIELD_TEXTS.alias)),
  }),
  model: text({
    wire: 'model',
    word: FIELD_TEXTS.model,
    name: 'machine_Model',
    isRequired: always,
    of: ({ model }) => model,
    fault: (model) => faultOf(checkFreeText(model, FIELD_TEXTS.model, 64)),
  }),
  /** Serial number of the reference machine; '' for a data definition of its own. */
  reference: text({
    wire: 'dbc_machine',
    word: FIELD_TEXTS.dbc_machine,
    kind: 'reference',
    name: 'dbc_machine',
    of: ({ dbc_machine }) => dbc_machine,
  }),
  macaddress: text({
    wire: 'macaddress',
    word: FIELD_TEXTS.macaddress,
    label: ({ isNew }) => (isNew ? 'MAC-adres' : 'MAC-adres (niet verplicht)'),
    name: 'macaddress',
    placeholder: '000 00 AS0 A0000',
    isRequired: ({ isNew }) => isNew,
    of: ({ macaddress }) => macaddress,
    fault: (address, { isNew }) =>
      isNew || address.trim() !== '' ? faultOf(checkMacAddress(address)) : undefined,
  }),
  initialHours: text({
    wire: 'urenstand',
    word: FIELD_TEXTS.urenstand,
    name: 'urenstand',
    unit: 'uur',
    empty: '0',
    of: ({ urenstand }) => exactNumber(urenstand),
    fault: (hours) =>
      hours.trim() !== '' && readNumber(hours) === undefined
        ? 'Urenstand bij aanvang is een getal, zoals 1250 of 1250,5.'
        : undefined,
  }),
  /** kWh per battery; '' when it is not known. */
  batteries: field<'batteries', readonly string[]>({
    wire: 'batteries',
    word: FIELD_TEXTS.batteries,
    kind: 'batteries',
    name: 'batteries',
    empty: [''],
    of: ({ batteries }) => batteries.map(({ capacity }) => (capacity === null ? '' : exactNumber(capacity))),
    sent: (texts) =>
      JSON.stringify(texts.map((text) => ({ capacity: text.trim() === '' ? null : readNumber(text) }))),
    fault: (texts) => {
      const wrong = texts.findIndex(isWrongCapacity);
      return wrong < 0
        ? undefined
        : `De capaciteit van accu ${wrong + 1} is een getal in kWh, zoals 90 of 90,5.`;
    },
  }),
  /** Sent with what still stands in the inputs, when that is a whole one: who typed it meant it. */
  accessories: field<'hulpstukken', readonly Accessory[]>({
    wire: 'hulpstukken',
    word: FIELD_TEXTS.hulpstukken,
    kind: 'accessories',
    empty: [],
    of: ({ hulpstukken }) => accessoriesIn(hulpstukken),
    sent: (list, { accessoryName, accessoryNumber }) =>
      JSON.stringify(
        (addAccessory(list, accessoryName, accessoryNumber) ?? list).map(({ name, number }) => ({
          naam: name,
          nummer: number,
        })),
      ),
  }),
  registrationNumber: text({
    wire: 'kenteken',
    word: FIELD_TEXTS.kenteken,
    name: 'kenteken',
    of: ({ kenteken }) => kenteken,
    fault: (number) => faultOf(checkRegistrationNumber(number.trim())),
  }),
  sebCategory: text({
    wire: 'seb_categorie',
    word: FIELD_TEXTS.seb_categorie,
    kind: 'seb-category',
    name: 'seb_categorie',
    of: ({ seb_categorie }) => seb_categorie ?? '',
  }),
  powerKw: text({
    wire: 'vermogen',
    word: FIELD_TEXTS.vermogen,
    name: 'vermogen',
    unit: 'kW',
    of: ({ vermogen }) => (vermogen === null ? '' : exactNumber(vermogen)),
    fault: (power) => faultOf(checkPower(power.trim())),
  }),
};
export type FieldName = keyof typeof FIELDS;

/** As they stand in the form. */
export const FORM_ORDER: readonly FieldName[] = [
  'organization',
  'loggerSerial',
  'serial',
  'brand',
  'model',
  'alias',
  'macaddress',
  'reference',
  'initialHours',
  'batteries',
  'accessories',
  'registrationNumber',
  'sebCategory',
  'powerKw',
];

export const accessoriesIn = (answer: MachineDetails['hulpstukken']): readonly Accessory[] =>
  answer.map(({ naam, nummer }) => ({ name: naam, number: nummer }));

/** kWh, as typed; none at all is no fault. */
export const isWrongCapacity = (text: string): boolean => {
  const capacity = readNumber(text) ?? 0;
  return text.trim() !== '' && !(capacity > 0 && capacity <= 10_000);
};
