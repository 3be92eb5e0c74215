import type { MachineDetails } from '#shared/contract/machines.ts';
import { type Checked, checkIdentifier, checkMacAddress, checkName } from '#shared/domain/identifiers.ts';
import {
  checkAccessories,
  checkBatteries,
  checkFreeText,
  checkNumber,
  checkPower,
  checkRegistrationNumber,
} from '#shared/domain/machine-values.ts';
import { draftOf, queryOf } from './machine-draft.ts';

type Sent = ReturnType<typeof queryOf>;

/**
 * Whether a machine is what this form makes, so that a try whose answer got lost made it: equal in everything, with the
 * form's logger or, where that was not bound yet, with none.
 * @param isLost the answer of a try of this very page did not come; else it must be a machine that is not in use yet
 */
export function isMadeOf(machine: MachineDetails, sent: Sent, isLost: boolean): boolean {
  const { loggerId, version } = machine;
  const isUnused = loggerId === '' || (isLost && loggerId === sent.influx_serial);
  return version === 1 && isUnused && inOneForm(queryOf(draftOf(machine))) === inOneForm(sent);
}

/** By the server's own rules of what it stores for what was typed. */
const inOneForm = (sent: Sent): string =>
  JSON.stringify([
    sent.bedrijf,
    stored(checkIdentifier(sent.machine_serial, '')),
    stored(checkFreeText(sent.brand, '', 64)),
    stored(checkFreeText(sent.model, '', 64)),
    stored(checkName(sent.alias, '')),
    stored(checkMacAddress(sent.macaddress)),
    sent.dbc_machine,
    stored(checkNumber(sent.urenstand, '', Number.POSITIVE_INFINITY)),
    stored(checkBatteries(sent.batteries)),
    stored(checkAccessories(sent.hulpstukken)),
    stored(checkRegistrationNumber(sent.kenteken)),
    sent.seb_categorie,
    stored(checkPower(sent.vermogen)),
  ]);

const stored = (checked: Checked<unknown>): unknown => (checked.ok ? checked.value : undefined);
