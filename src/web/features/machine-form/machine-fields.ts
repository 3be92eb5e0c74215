/** The fields of the machine form, each defined once (MEDIT-01, MEDIT-07, MEDIT-14). */
import type { MachineDetails, MachineInput } from '#shared/contract/machines.ts';
import { type Accessory, addAccessory } from '#shared/domain/accessories.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import {
  type CheckResult,
  checkAlias,
  checkIdentifier,
  checkLoggerSerial,
  checkMacAddress,
  type LoggerKind,
} from '#shared/domain/identifiers.ts';
import {
  checkContinuousPowerKw,
  checkFreeText,
  checkRegistrationNumber,
} from '#shared/domain/machine-values.ts';
import { formatExactNumber } from '#shared/domain/nl.ts';
import { parseTypedNumber } from '#shared/domain/typed-number.ts';
import { LOGGER_NUMBER_FIELDS } from '#web/machines/logger-kind.tsx';

/**
 * `isNew`: the machine does not exist yet, so that a logger and a MAC address are required. For an existing machine the form does
 * not change the logger or the owner. `loggerKind`: the kind of the typed logger.
 */
export type DraftRules = { readonly isNew: boolean; readonly loggerKind?: LoggerKind };
/** The texts in the inputs for an accessory that is not in the list yet. */
export type TypedAccessory = { readonly accessoryName: string; readonly accessoryNumber: string };

/** How a field looks in the form. */
export type FieldAppearance = {
  /** Name of the field, as the label of its input and in the list of another user's changes. */
  readonly word: string;
  /** Label of the input if it differs from `word`. */
  readonly label?: (rules: DraftRules) => string;
  /** Kind of an input that is no plain text (machine-inputs.tsx). */
  readonly kind?: 'organization' | 'reference' | 'batteries' | 'accessories' | 'seb-category';
  /** Name of the input. Errors of a field without a name are shown beside the button. */
  readonly name?: string;
  readonly isRequired?: (rules: DraftRules) => boolean;
  readonly isReadOnly?: (rules: DraftRules) => boolean;
  readonly description?: (rules: DraftRules) => string;
  readonly placeholder?: string;
  readonly inputMode?: (rules: DraftRules) => 'numeric' | 'text';
  /** Unit shown behind the number. */
  readonly unit?: string;
};

export type Field<Wire extends keyof MachineInput, Value> = FieldAppearance & {
  /** Name of the parameter in the calls that create and edit a machine. */
  readonly wire: Wire;
  /** Value in an empty form. */
  readonly empty: Value;
  /** Returns the value in the form of a machine. */
  fromMachine(machine: MachineDetails): Value;
  /** Returns the value in the format of the calls' parameter. */
  toWire(value: Value, typed: TypedAccessory): string;
  /** Returns the error of a value as a Dutch sentence; undefined if it can be sent. Rules that need the server are not checked. */
  check?(value: Value, rules: DraftRules): string | undefined;
};
const field = <const Wire extends keyof MachineInput, Value>(entry: Field<Wire, Value>) => entry;
/** Defines a field whose value is sent as the typed text, without surrounding spaces. */
const text = <const Wire extends keyof MachineInput>(
  entry: Omit<Field<Wire, string>, 'empty' | 'toWire'> & { readonly empty?: string },
) => field<Wire, string>({ empty: '', toWire: (value) => value.trim(), ...entry });

const always = () => true;
const errorText = (checked: CheckResult<unknown>) => (checked.ok ? undefined : checked.reason);

/** The fields of the form, in the order in which the conflict dialog lists another user's changes. */
export const FIELDS = {
  organization: text({
    wire: 'bedrijf',
    word: FIELD_TEXTS.bedrijf,
    kind: 'organization',
    name: 'organization',
    fromMachine: ({ organization }) => organization,
    check: (name) => (name === '' ? 'Kies een organisatie.' : undefined),
  }),
  loggerSerial: text({
    wire: 'influx_serial',
    word: FIELD_TEXTS.influx_serial,
    name: 'influx_Serienummer',
    label: ({ loggerKind }) =>
      loggerKind === 'canedge' ? LOGGER_NUMBER_FIELDS.canedge.word : FIELD_TEXTS.influx_serial,
    description: ({ isNew, loggerKind = 'rexgen' }) =>
      isNew
        ? LOGGER_NUMBER_FIELDS[loggerKind].description
        : 'Koppelen, vervangen of loskoppelen: in de vakken over de logger',
    inputMode: ({ loggerKind = 'rexgen' }) => LOGGER_NUMBER_FIELDS[loggerKind].inputMode,
    isRequired: ({ isNew }) => isNew,
    isReadOnly: ({ isNew }) => !isNew,
    fromMachine: ({ loggerId }) => loggerId,
    check: (serial, { isNew, loggerKind }) =>
      isNew ? errorText(checkLoggerSerial(serial, loggerKind)) : undefined,
  }),
  serial: text({
    wire: 'machine_serial',
    word: FIELD_TEXTS.machine_serial,
    name: 'machine_Serienummer',
    description: () => 'Op de machine zelf',
    isRequired: always,
    fromMachine: ({ serialNumber }) => serialNumber,
    check: (serial) => errorText(checkIdentifier(serial, FIELD_TEXTS.machine_serial)),
  }),
  brand: text({
    wire: 'brand',
    word: FIELD_TEXTS.brand,
    name: 'machine_Merk',
    isRequired: always,
    fromMachine: ({ brand }) => brand,
    check: (brand) => errorText(checkFreeText(brand, FIELD_TEXTS.brand, 64)),
  }),
  alias: text({
    wire: 'alias',
    word: FIELD_TEXTS.alias,
    name: 'machine_Naam',
    isRequired: always,
    fromMachine: ({ alias }) => alias,
    check: (alias) => errorText(checkAlias(alias, FIELD_TEXTS.alias)),
  }),
  model: text({
    wire: 'model',
    word: FIELD_TEXTS.model,
    name: 'machine_Model',
    isRequired: always,
    fromMachine: ({ model }) => model,
    check: (model) => errorText(checkFreeText(model, FIELD_TEXTS.model, 64)),
  }),
  /** Serial number of the reference machine; '' if the machine has its own data definition. */
  reference: text({
    wire: 'dbc_machine',
    word: FIELD_TEXTS.dbc_machine,
    kind: 'reference',
    name: 'dbc_machine',
    fromMachine: ({ dbc_machine }) => dbc_machine,
  }),
  macaddress: text({
    wire: 'macaddress',
    word: FIELD_TEXTS.macaddress,
    label: ({ isNew }) => (isNew ? 'MAC-adres' : 'MAC-adres (niet verplicht)'),
    name: 'macaddress',
    placeholder: '000 00 AS0 A0000',
    isRequired: ({ isNew }) => isNew,
    fromMachine: ({ macaddress }) => macaddress,
    check: (address, { isNew }) =>
      isNew || address.trim() !== '' ? errorText(checkMacAddress(address)) : undefined,
  }),
  initialHours: text({
    wire: 'urenstand',
    word: FIELD_TEXTS.urenstand,
    name: 'urenstand',
    unit: 'uur',
    empty: '0',
    fromMachine: ({ urenstand }) => formatExactNumber(urenstand),
    check: (hours) =>
      hours.trim() !== '' && parseTypedNumber(hours) === undefined
        ? 'Urenstand bij aanvang is een getal, zoals 1250 of 1250,5.'
        : undefined,
  }),
  /** Capacity of each battery in kWh; '' if unknown. */
  batteries: field<'batteries', readonly string[]>({
    wire: 'batteries',
    word: FIELD_TEXTS.batteries,
    kind: 'batteries',
    name: 'batteries',
    empty: [''],
    fromMachine: ({ batteries }) =>
      batteries.map(({ capacity }) => (capacity === null ? '' : formatExactNumber(capacity))),
    toWire: (texts) =>
      JSON.stringify(texts.map((text) => ({ capacity: text.trim() === '' ? null : parseTypedNumber(text) }))),
    check: (texts) => {
      const wrong = texts.findIndex(isWrongCapacity);
      return wrong < 0
        ? undefined
        : `De capaciteit van accu ${wrong + 1} is een getal in kWh, zoals 90 of 90,5.`;
    },
  }),
  /** If the inputs hold a complete accessory that was not added, it is sent as well: the user meant to add it. */
  accessories: field<'hulpstukken', readonly Accessory[]>({
    wire: 'hulpstukken',
    word: FIELD_TEXTS.hulpstukken,
    kind: 'accessories',
    empty: [],
    fromMachine: ({ hulpstukken }) => accessoriesIn(hulpstukken),
    toWire: (list, { accessoryName, accessoryNumber }) =>
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
    fromMachine: ({ kenteken }) => kenteken,
    check: (number) => errorText(checkRegistrationNumber(number.trim())),
  }),
  sebCategory: text({
    wire: 'seb_categorie',
    word: FIELD_TEXTS.seb_categorie,
    kind: 'seb-category',
    name: 'seb_categorie',
    fromMachine: ({ seb_categorie }) => seb_categorie ?? '',
  }),
  powerKw: text({
    wire: 'vermogen',
    word: FIELD_TEXTS.vermogen,
    name: 'vermogen',
    unit: 'kW',
    fromMachine: ({ vermogen }) => (vermogen === null ? '' : formatExactNumber(vermogen)),
    check: (power) => errorText(checkContinuousPowerKw(power.trim())),
  }),
};
export type FieldName = keyof typeof FIELDS;

/** The order of the fields in the form. */
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

/** Returns whether a typed capacity in kWh is invalid; an empty one is valid. */
export const isWrongCapacity = (text: string): boolean => {
  const capacity = parseTypedNumber(text) ?? 0;
  return text.trim() !== '' && !(capacity > 0 && capacity <= 10_000);
};
