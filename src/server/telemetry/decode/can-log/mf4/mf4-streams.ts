import type { FrameCounter } from '#server/telemetry/decode/can-log/counted-frames.ts';
import { BufferBudget } from './buffer-budget.ts';
import { Mf4FrameGroup } from './mf4-frame-group.ts';
import type { DataGroup, Mf4DataSegment, Mf4Layout } from './mf4-layout.ts';
import { Mf4Records, type RecordKind } from './mf4-records.ts';
import { Mf4VariableData } from './mf4-variable-data.ts';

/** Reads the streams of one data group: its records, and the data of variable length that the records point to. */
class Mf4Streams {
  readonly #records: Mf4Records;
  readonly #frameGroups: Mf4FrameGroup[] = [];
  readonly #variable = new Map<number, Mf4VariableData>();
  readonly #readers = new Map<number, Mf4FrameGroup[]>();
  readonly #budget: BufferBudget;

  constructor({ idBytes, groups }: DataGroup, startMs: number, frames: FrameCounter, budget: BufferBudget) {
    this.#budget = budget;
    const made = groups.map(({ frames: channels, recordBytes }) => {
      if (channels === undefined) return undefined;
      const group = new Mf4FrameGroup(
        channels,
        recordBytes,
        startMs,
        frames,
        this.#dataOf(channels.variable?.link),
        budget,
      );
      if (channels.variable !== undefined) this.#readersOf(channels.variable.link).push(group);
      this.#frameGroups.push(group);
      return group;
    });
    const kinds = new Map<number, RecordKind>();
    for (const [index, { recordId, recordBytes, isVariable, offset }] of groups.entries())
      kinds.set(recordId, {
        bytes: recordBytes,
        frames: made[index],
        isVariable,
        variable: isVariable ? this.#variable.get(offset) : undefined,
        readers: this.#readersOf(offset),
      });
    this.#records = new Mf4Records(idBytes, kinds);
  }

  push({ variable }: Mf4DataSegment, bytes: Uint8Array): void {
    if (variable === undefined) this.#records.push(bytes);
    else {
      this.#variable.get(variable)?.push(bytes, 0, bytes.length);
      for (const group of this.#readersOf(variable)) group.readWaiting();
    }
  }

  end(): void {
    for (const group of this.#frameGroups) group.end();
  }

  get damaged(): number {
    return this.#frameGroups.reduce((sum, group) => sum + group.damaged, this.#records.isDamaged ? 1 : 0);
  }

  #dataOf(link: number | undefined): Mf4VariableData | undefined {
    if (link === undefined) return undefined;
    const data = this.#variable.get(link) ?? new Mf4VariableData(this.#budget);
    this.#variable.set(link, data);
    return data;
  }

  #readersOf(link: number): Mf4FrameGroup[] {
    const readers = this.#readers.get(link) ?? [];
    this.#readers.set(link, readers);
    return readers;
  }
}

/** Creates the readers of all data groups of an MF4. */
export function createMf4StreamReaders(
  { segments, startMs }: Mf4Layout,
  frames: FrameCounter,
): Map<DataGroup, Mf4Streams> {
  const budget = new BufferBudget();
  const readers = new Map<DataGroup, Mf4Streams>();
  for (const { group } of segments)
    if (!readers.has(group)) readers.set(group, new Mf4Streams(group, startMs, frames, budget));
  return readers;
}
