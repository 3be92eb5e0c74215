import type { Definition } from '#shared/contract/definition.ts';
import { canBusOf, mappedSignals } from './can-buses.ts';
import { dbcText } from './dbc-text.ts';
import type { DemoMachine } from './fleet.ts';
import { J1939_DUMPER, withJ1939 } from './kipstra-j1939.ts';

/** Returns the data definition of a machine, as an administrator would enter it. */
export function machineDefinition({
  model,
  serialNumber,
}: Pick<DemoMachine, 'model' | 'serialNumber'>): Definition {
  const bus = canBusOf(model);
  const name = `${model.brand} ${model.model} simulatie.dbc`.toLowerCase().replaceAll(' ', '-');
  const definition: Definition = {
    buses: [{ bus: 0, bitrate: bus.bitrate, name, dbc: dbcText(bus) }],
    mapping: {
      signals: mappedSignals(bus),
      keep: bus.messages.filter(({ isKept }) => isKept).map(({ name: message }) => ({ bus: 0, message })),
    },
  };
  return serialNumber === J1939_DUMPER.serialNumber ? withJ1939(definition) : definition;
}
