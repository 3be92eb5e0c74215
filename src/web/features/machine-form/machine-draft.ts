/** What stands in the machine form: texts as they are typed, until they are sent (MEDIT-01, MEDIT-07). */
import type { MachineDetails } from '#shared/contract/machines.ts';
import { addAccessory } from '#shared/domain/accessories.ts';
import { checkIdentifier, checkLoggerSerial, checkMacAddress } from '#shared/domain/identifiers.ts';
import type { Accessory } from '#shared/domain/live.ts';
import { decimalText, readDecimal } from './decimal.ts';

export type MachineDraft = {
  /** Functional name; '' while none is chosen. */
  readonly organization: string;
  readonly loggerSerial: string;
  readonly serial: string;
  readonly brand: string;
  readonly alias: string;
  readonly model: string;
  /** Serial number of the reference machine; '' for a data definition of its own. */
  readonly reference: string;
  readonly macaddress: string;
  /** 'Urenstand bij aanvang'. */
  readonly hours: string;
  /** kWh per battery; '' when it is not known. */
  readonly batteries: readonly string[];
  readonly accessories: readonly Accessory[];
  /** What stands in the inputs for one more accessory. */
  readonly accessoryName: string;
  readonly accessoryNumber: string;
};

export const EMPTY_DRAFT: MachineDraft = {
  organization: '',
  loggerSerial: '',
  serial: '',
  brand: '',
  alias: '',
  model: '',
  reference: '',
  macaddress: '',
  hours: '0',
  batteries: [''],
  accessories: [],
  accessoryName: '',
  accessoryNumber: '',
};

export const draftOf = (machine: MachineDetails): MachineDraft => ({
  organization: machine.organization,
  loggerSerial: machine.loggerId,
  serial: machine.serialNumber,
  brand: machine.brand,
  alias: machine.alias,
  model: machine.model,
  reference: machine.dbc_machine,
  macaddress: machine.macaddress,
  hours: decimalText(machine.urenstand),
  batteries: machine.batteries.map(({ capacity }) => (capacity === null ? '' : decimalText(capacity))),
  accessories: machine.hulpstukken,
  accessoryName: '',
  accessoryNumber: '',
});

/** `isNew`: a logger and a MAC address are required; `hasLogger`: a logger is bound, and cannot just be left out. */
export type DraftRules = { readonly isNew: boolean; readonly hasLogger: boolean };

/** The first thing that cannot be sent, as a sentence. What the server alone can know is not looked at. */
export function draftFault(draft: MachineDraft, { isNew, hasLogger }: DraftRules): string | undefined {
  if (draft.organization === '') return 'Kies een organisatie.';
  const checks = [
    ...(isNew || hasLogger || draft.loggerSerial.trim() !== ''
      ? [checkLoggerSerial(draft.loggerSerial)]
      : []),
    checkIdentifier(draft.serial, 'Machine serienummer'),
    checkIdentifier(draft.alias, 'Naam'),
    ...(isNew || draft.macaddress.trim() !== '' ? [checkMacAddress(draft.macaddress)] : []),
  ];
  for (const checked of checks) if (!checked.ok) return checked.reason;
  if (draft.hours.trim() !== '' && readDecimal(draft.hours) === undefined)
    return 'Urenstand bij aanvang is een getal, zoals 1250 of 1250,5.';
  const wrong = draft.batteries.findIndex((text) => text.trim() !== '' && !(readDecimal(text)! > 0));
  return wrong < 0 ? undefined : `De capaciteit van accu ${wrong + 1} is een getal in kWh, zoals 90 of 90,5.`;
}

/** The list with what still stands in the inputs, when that is a whole accessory: who typed it meant it. */
export const accessoriesOf = (draft: MachineDraft): readonly Accessory[] =>
  addAccessory(draft.accessories, draft.accessoryName, draft.accessoryNumber) ?? draft.accessories;

/** A sentence about what still stands in those inputs and is no whole accessory: it was not sent. */
export function leftOver({ accessoryName, accessoryNumber }: MachineDraft): string | undefined {
  const name = accessoryName.trim();
  if (name === '' || addAccessory([], name, accessoryNumber) !== undefined) return undefined;
  return `Hulpstuk ‘${name}’ is niet toegevoegd: het had geen geheel getal als nummer.`;
}

/** What create and edit are sent. */
export const queryOf = (draft: MachineDraft) => ({
  bedrijf: draft.organization,
  influx_serial: draft.loggerSerial.trim(),
  machine_serial: draft.serial.trim(),
  brand: draft.brand.trim(),
  alias: draft.alias.trim(),
  model: draft.model.trim(),
  dbc_machine: draft.reference,
  macaddress: draft.macaddress.trim(),
  urenstand: draft.hours.trim(),
  batteries: JSON.stringify(
    draft.batteries.map((text) => ({ capacity: text.trim() === '' ? null : readDecimal(text) })),
  ),
  hulpstukken: JSON.stringify(accessoriesOf(draft)),
});
