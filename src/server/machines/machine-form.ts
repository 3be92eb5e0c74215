import { valid } from '#server/platform/problem.ts';
import { type DetailValues, MACHINE_DETAILS } from '#shared/contract/machine-fields.ts';
import type { MachineInput } from '#shared/contract/machines.ts';
import { checkIdentifier, checkLoggerSerial } from '#shared/domain/identifiers.ts';
import { checkFreeText } from '#shared/domain/machine-values.ts';

/** What a client sends with create and edit, checked; undefined: not sent. */
export type MachineForm = Partial<DetailValues> & {
  /** Functional name. */
  readonly organization: string;
  readonly serial: string;
  readonly alias: string;
  readonly brand: string;
  readonly model: string;
  /** '' when it was sent empty. */
  readonly loggerSerial: string | undefined;
};

/** @throws ProblemError 400 with the first thing that is wrong, in Dutch */
export function readMachineForm(input: MachineInput): MachineForm {
  return {
    organization: input.bedrijf,
    serial: valid(checkIdentifier(input.machine_serial, 'Serienummer')),
    brand: valid(checkFreeText(input.brand, 'Merk', 64)),
    alias: valid(checkIdentifier(input.alias, 'Naam')),
    model: valid(checkFreeText(input.model, 'Model', 64)),
    loggerSerial: input.influx_serial?.trim() && valid(checkLoggerSerial(input.influx_serial)),
    ...readDetails(input),
  };
}

function readDetails(input: MachineInput): Partial<DetailValues> {
  const details = Object.entries(MACHINE_DETAILS).flatMap(([name, { wire, read }]) => {
    const text = input[wire];
    return text === undefined ? [] : [[name, valid<unknown>(read(text.trim()))]];
  });
  return Object.fromEntries(details);
}
