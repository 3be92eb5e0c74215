import { NOT_AVAILABLE } from '#server/telemetry/decode/dbc/dbc-signal-reader.ts';
import type { BusReport, EarlierSources } from '#server/telemetry/decode/j1939/bus-report.ts';
import { DM1_GROUP } from '#server/telemetry/decode/j1939/dm1.ts';
import { Dm1Log } from '#server/telemetry/decode/j1939/dm1-log.ts';
import { J1939BusState, type J1939MessageOfSource } from '#server/telemetry/decode/j1939/group-bus.ts';
import { isEcuAddress, pgnOf, sourceAddressOf } from '#server/telemetry/decode/j1939/identifier.ts';
import { SelectedSources } from '#server/telemetry/decode/j1939/selected-sources.ts';
import { J1939Transport, TP_CM_PGN, TP_DT_PGN } from '#server/telemetry/decode/j1939/transport.ts';
import type { LogStats } from '#server/telemetry/decode/log-outcome.ts';
import type { SecondReadingBuilder } from '#server/telemetry/decode/second-readings.ts';
import type { CanFrame } from './can-frame.ts';
import type { DecodePlan } from './decode-plan.ts';

type Bus = { readonly messages: J1939BusState; readonly transport: J1939Transport };

/**
 * Decodes the J1939 frames of a log: finds messages by group and source, reassembles long messages, counts absent
 * values.
 */
export class J1939FrameDecoder {
  readonly #plan: DecodePlan;
  readonly #readings: SecondReadingBuilder;
  readonly #stats: LogStats;
  readonly #buses: readonly (Bus | undefined)[];
  readonly #selected: SelectedSources;
  readonly #values: Float64Array;
  readonly #notAvailable: Float64Array;
  readonly #errors: Float64Array;

  readonly dm1 = new Dm1Log();

  /** Creates the decoder. @param memory J1939 sources of earlier logs */
  constructor(plan: DecodePlan, readings: SecondReadingBuilder, stats: LogStats, memory: EarlierSources) {
    const { names } = plan;
    this.#plan = plan;
    this.#readings = readings;
    this.#stats = stats;
    const slotOf = (name: string): number => readings.slotOf(name);
    this.#buses = Array.from(plan.buses, (bus, number) =>
      bus?.groups
        ? {
            messages: new J1939BusState(number, bus.groups, names, slotOf, memory),
            transport: new J1939Transport(),
          }
        : undefined,
    );
    this.#selected = new SelectedSources(names, memory.held);
    this.#values = new Float64Array(names.length);
    this.#notAvailable = new Float64Array(names.length);
    this.#errors = new Float64Array(names.length);
  }

  /**
   * Decodes a frame with an identifier of 29 bits.
   * @returns false if the frame is no J1939 message of its bus
   */
  read({ bus: number, id, data, length }: CanFrame, timeMs: number): boolean {
    const bus = this.#buses[number];
    if (bus === undefined) return false;
    const sent = bus.messages.get(id);
    if (sent !== undefined) this.#take(sent, data, length, timeMs);
    const group = pgnOf(id);
    if (group === DM1_GROUP) this.#addDm1(number, id, data, length, timeMs);
    if (group !== TP_CM_PGN && group !== TP_DT_PGN) return sent !== undefined || group === DM1_GROUP;
    const long = bus.transport.read(id, data, length, timeMs);
    if (long === undefined) return true;
    if (pgnOf(long.id) === DM1_GROUP) this.#addDm1(number, long.id, long.data, long.data.length, timeMs);
    const whole = bus.messages.get(long.id);
    if (whole) this.#take(whole, long.data, long.data.length, timeMs);
    return true;
  }

  #addDm1(bus: number, id: number, data: Uint8Array, length: number, timeMs: number): void {
    const source = sourceAddressOf(id);
    if (isEcuAddress(source)) this.dm1.add(timeMs, bus, source, data, length);
  }

  #take(sent: J1939MessageOfSource, data: Uint8Array, length: number, timeMs: number): void {
    sent.frames += 1;
    const { decoder, source, outputs } = sent;
    if (decoder === undefined) return;
    const values = this.#values;
    this.#stats.decodedFrames += 1;
    this.#stats.skippedValues += decoder.decode(data, length, values);
    for (const { place, slot, counted, factor, offset, needsSelectedSource } of outputs) {
      const value = values[place] as number;
      if (Number.isNaN(value)) continue;
      if (!Number.isFinite(value)) this.#countAbsent(value, counted);
      else if (!needsSelectedSource || this.#selected.accepts(slot, source, timeMs)) {
        if (!this.#readings.set(slot, value * factor + offset)) this.#stats.skippedValues += 1;
        else if (needsSelectedSource) this.#selected.select(slot, source, timeMs);
      }
    }
  }

  #countAbsent(value: number, slot: number): void {
    const counts = value === NOT_AVAILABLE ? this.#notAvailable : this.#errors;
    counts[slot] = (counts[slot] as number) + 1;
  }

  get report(): BusReport {
    const buses = this.#buses.filter((bus) => bus !== undefined);
    return {
      senders: buses.flatMap(({ messages }) => messages.senders),
      absent: this.#plan.names.flatMap((name, slot) => {
        const [notAvailable, errors] = [this.#notAvailable[slot] as number, this.#errors[slot] as number];
        return notAvailable + errors === 0 ? [] : [{ name, notAvailable, errors }];
      }),
      held: this.#selected.all,
      dropped: buses.reduce((sum, { transport }) => sum + transport.dropped, 0),
    };
  }
}
