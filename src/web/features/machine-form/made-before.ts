import type { MachineDetails } from '#shared/contract/machines.ts';
import {
  type CheckResult,
  checkAlias,
  checkIdentifier,
  checkMacAddress,
} from '#shared/domain/identifiers.ts';
import {
  checkAccessories,
  checkBatteries,
  checkContinuousPowerKw,
  checkFreeText,
  checkNumber,
  checkRegistrationNumber,
} from '#shared/domain/machine-values.ts';
import { machineDraftOf, machineParameters } from './machine-draft.ts';

type Sent = ReturnType<typeof machineParameters>;

/**
 * Returns whether an earlier attempt with this form made the machine, but its response was lost. All values
 * must be equal, and the machine must have no logger.
 * @param wasAnswerLost whether an attempt on this page got no response; the machine may then already have the
 * form's logger
 */
export function wasMadeByForm(machine: MachineDetails, sent: Sent, wasAnswerLost: boolean): boolean {
  const { loggerId, version } = machine;
  const isUnused = loggerId === '' || (wasAnswerLost && loggerId === sent.influx_serial);
  return (
    version === 1 && isUnused && storedForm(machineParameters(machineDraftOf(machine))) === storedForm(sent)
  );
}

/** Returns the values as the server would store them, as JSON text that can be compared. */
const storedForm = (sent: Sent): string =>
  JSON.stringify([
    sent.bedrijf,
    stored(checkIdentifier(sent.machine_serial, '')),
    stored(checkFreeText(sent.brand, '', 64)),
    stored(checkFreeText(sent.model, '', 64)),
    stored(checkAlias(sent.alias, '')),
    stored(checkMacAddress(sent.macaddress)),
    sent.dbc_machine,
    stored(checkNumber(sent.urenstand, '', Number.POSITIVE_INFINITY)),
    stored(checkBatteries(sent.batteries)),
    stored(checkAccessories(sent.hulpstukken)),
    stored(checkRegistrationNumber(sent.kenteken)),
    sent.seb_categorie,
    stored(checkContinuousPowerKw(sent.vermogen)),
  ]);

const stored = (checked: CheckResult<unknown>): unknown => (checked.ok ? checked.value : undefined);
