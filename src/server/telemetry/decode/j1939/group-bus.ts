import type {
  DecodedValueDestination,
  J1939MessagePlan,
} from '#server/telemetry/decode/can-log/decode-plan.ts';
import type { FrameDecoder } from '#server/telemetry/decode/dbc/frame-decoder.ts';
import { nameWithSource } from '#shared/domain/j1939.ts';
import type { EarlierSources, MessageSender } from './bus-report.ts';
import type { J1939PlanIndex } from './group-plans.ts';
import { sourceAddressOf } from './identifier.ts';

/** A message of the DBC, as one source sends it. */
export type J1939MessageOfSource = {
  readonly message: number;
  readonly source: number;
  frames: number;
  /** Undefined when the mapping uses no signal of the message. */
  readonly decoder: FrameDecoder | undefined;
  outputs: readonly J1939ValueDestination[];
};

export type J1939ValueDestination = Pick<DecodedValueDestination, 'place' | 'factor' | 'offset'> & {
  /** Slot (index of a signal in readings) that receives the value. */
  readonly slot: number;
  /** Slot of the signal's name in the definition, under which absent values are counted. */
  readonly counted: number;
  /** Whether only values of the selected source are used (SelectedSources). */
  readonly needsSelectedSource: boolean;
};

/**
 * Maximum number of sources for which signals that are kept without a mapping get separate names. A bus has a few sources; 253
 * sources mean a fault or an attack.
 */
const MAX_NAMED_SOURCES = 16;
/** Maximum number of cached identifiers; a bus has a few hundred. */
const MAX_CACHE_ENTRIES = 8_192;

/** The J1939 messages of one bus while a log is decoded: their sources, and where their values are stored. */
export class J1939BusState {
  readonly #bus: number;
  readonly #plans: J1939PlanIndex<J1939MessagePlan>;
  readonly #names: readonly string[];
  readonly #slotOf: (name: string) => number;
  /** The sources of each message, by `messageKey`. */
  readonly #sources = new Map<number, Set<number>>();
  readonly #sent = new Map<number, Map<number, J1939MessageOfSource>>();
  readonly #byId = new Map<number, J1939MessageOfSource | undefined>();

  /**
   * Creates the decoder of a bus.
   * @param names slot -> name in the definition
   * @param slotOf returns a new slot for a name
   */
  constructor(
    bus: number,
    plans: J1939PlanIndex<J1939MessagePlan>,
    names: readonly string[],
    slotOf: (name: string) => number,
    memory: EarlierSources,
  ) {
    this.#bus = bus;
    this.#plans = plans;
    this.#names = names;
    this.#slotOf = slotOf;
    for (const known of memory.senders) if (known.bus === bus) this.#addSource(known.message, known.source);
  }

  /** Returns the message of an identifier of 29 bits; undefined when it is no J1939 message of the DBC. */
  get(id: number): J1939MessageOfSource | undefined {
    const known = this.#byId.get(id);
    if (known !== undefined || this.#byId.has(id)) return known;
    const plan = this.#plans.find(id);
    const sent = plan && this.#sentBy(plan, sourceAddressOf(id));
    if (this.#byId.size >= MAX_CACHE_ENTRIES) this.#byId.clear();
    this.#byId.set(id, sent);
    return sent;
  }

  get senders(): MessageSender[] {
    return [...this.#sent.values()].flatMap((sent) =>
      [...sent.values()].map(({ message, source, frames }) => ({ bus: this.#bus, message, source, frames })),
    );
  }

  #sentBy(plan: J1939MessagePlan, source: number): J1939MessageOfSource {
    const { key, frame, isOfAnySource } = plan;
    const ofMessage = this.#sent.get(key) ?? new Map<number, J1939MessageOfSource>();
    this.#sent.set(key, ofMessage);
    const known = ofMessage.get(source);
    if (known) return known;
    const decoder = frame === 'unused' ? undefined : frame.decoder;
    const sent: J1939MessageOfSource = { message: key, source, frames: 0, decoder, outputs: [] };
    ofMessage.set(source, sent);
    if (isOfAnySource) this.#addSource(key, source);
    // When a second source appears, signals that are kept without a mapping get other names for the first source too.
    for (const one of ofMessage.values()) one.outputs = this.#outputsOf(plan, one.source);
    return sent;
  }

  #addSource(message: number, source: number): void {
    const sources = this.#sources.get(message) ?? new Set();
    if (sources.size < MAX_NAMED_SOURCES) sources.add(source);
    this.#sources.set(message, sources);
  }

  #outputsOf({ key, frame, isOfAnySource }: J1939MessagePlan, source: number): J1939ValueDestination[] {
    if (frame === 'unused') return [];
    const toOutput = (
      { place, slot, factor, offset }: DecodedValueDestination,
      into = slot,
      needsSelectedSource = false,
    ): J1939ValueDestination => ({
      place,
      factor,
      offset,
      slot: into,
      counted: slot,
      needsSelectedSource,
    });
    if (!isOfAnySource) return frame.outputs.map((output) => toOutput(output));
    const own = frame.outputs.filter((output) => output.source === source);
    const ownPlaces = new Set(own.map(({ place }) => place));
    const others = frame.outputs.flatMap((output) => {
      if (output.source !== undefined || ownPlaces.has(output.place)) return [];
      if (!output.isKept) return [toOutput(output, output.slot, true)];
      const sources = this.#sources.get(key);
      if (sources === undefined || !sources.has(source)) return [];
      const name = this.#names[output.slot] as string;
      return [toOutput(output, sources.size > 1 ? this.#slotOf(nameWithSource(name, source)) : output.slot)];
    });
    return [...own.map((output) => toOutput(output)), ...others];
  }
}
