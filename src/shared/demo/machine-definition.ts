import type { Definition } from '#shared/contract/definition.ts';
import { type CanBus, canBusOf, mappedSignals } from './can-buses.ts';
import type { CanMessage, CanSignal } from './can-message.ts';
import type { DemoMachine } from './fleet.ts';
import { J1939_DEMO_MACHINE, withJ1939Bus } from './kipstra-j1939.ts';

/** Bit that marks a 29-bit identifier in a DBC. */
const EXTENDED = 0x8000_0000;

/** Returns the text of the DBC file that describes a bus. */
const dbcText = ({
  node,
  messages,
}: CanBus): string => `VERSION "Werkstroom demo 2: SIMULATED, of no real machine"

NS_ :

BS_:

BU_: ${node}

${messages.map((message) => messageText(message, node)).join('\n\n')}

CM_ "Simulated: a machine of Werkstroom's demo.";
`;

function messageText(message: CanMessage, node: string): string {
  const id = message.id + (message.isExtended ? EXTENDED : 0);
  const signals = message.signals.map((signal) => signalText(signal, message.isBigEndian));
  return [`BO_ ${id} ${message.name}: ${message.length} ${node}`, ...signals].join('\n');
}

function signalText({ name, firstByte, number }: CanSignal, isBigEndian: boolean): string {
  const { bits, isSigned, factor, offset, min, max, unit } = number;
  // A big-endian signal starts at its most significant bit.
  const start = 8 * firstByte + (isBigEndian ? Math.min(7, bits - 1) : 0);
  const format = `${start}|${bits}@${isBigEndian ? 0 : 1}${isSigned ? '-' : '+'}`;
  const scale = String(factor).replace('e', 'E');
  return ` SG_ ${name} : ${format} (${scale},${offset}) [${min}|${max}] "${unit}" Vector__XXX`;
}

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
  return serialNumber === J1939_DEMO_MACHINE.serialNumber ? withJ1939Bus(definition) : definition;
}
