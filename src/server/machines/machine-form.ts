import type { FieldErrors } from '#server/platform/field-errors.ts';
import { type DetailValues, MACHINE_DETAILS } from '#shared/contract/machine-fields.ts';
import type { MachineInput } from '#shared/contract/machines.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { checkAlias, checkIdentifier, checkLoggerSerial } from '#shared/domain/identifiers.ts';
import { checkFreeText } from '#shared/domain/machine-values.ts';

/** The checked fields of create and edit; undefined: not sent. */
export type MachineForm = Partial<DetailValues> & {
  /** The organization's functional name: its name in calls and addresses. */
  readonly organization: string;
  readonly serial: string;
  readonly alias: string;
  readonly brand: string;
  readonly model: string;
  /** Serial number of the logger; '' if it was sent empty. */
  readonly loggerSerial: string | undefined;
};

/** The fields by their names in the calls, in the order of the screen. */
export const MACHINE_FIELDS = [
  'bedrijf',
  'influx_serial',
  'machine_serial',
  'brand',
  'model',
  'alias',
  'macaddress',
  'dbc_machine',
  'urenstand',
  'batteries',
  'hulpstukken',
  'kenteken',
  'seb_categorie',
  'vermogen',
] as const satisfies readonly (keyof MachineInput)[];

/** Reads the machine form, and adds a Dutch message to `errors` for each invalid field. */
export function readMachineForm(input: MachineInput, errors: FieldErrors): MachineForm {
  const free = (field: 'brand' | 'model') =>
    errors.take(field, checkFreeText(input[field], FIELD_TEXTS[field], 64));
  return {
    organization: input.bedrijf,
    serial: errors.take('machine_serial', checkIdentifier(input.machine_serial, FIELD_TEXTS.machine_serial)),
    brand: free('brand'),
    alias: errors.take('alias', checkAlias(input.alias, FIELD_TEXTS.alias)),
    model: free('model'),
    loggerSerial:
      input.influx_serial?.trim() &&
      errors.take('influx_serial', checkLoggerSerial(input.influx_serial, input.logger_kind)),
    ...readDetails(input, errors),
  };
}

function readDetails(input: MachineInput, errors: FieldErrors): Partial<DetailValues> {
  const details = Object.entries(MACHINE_DETAILS).flatMap(([name, { wire, read }]) => {
    const text = input[wire];
    return text === undefined ? [] : [[name, errors.take<unknown>(wire, read(text.trim()))]];
  });
  return Object.fromEntries(details);
}
