import { EARLIEST_READING_MS } from '#server/telemetry/decode/reading-rules.ts';
import type { FormatFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import { CandumpLog } from './candump-log.ts';
import type { LogPrescan } from './frame-reader.ts';
import { TextLines } from './line-reader.ts';

/** Maximum number of timestamps that are compared to find out whether each is the time since the frame before. */
const MAX_COMPARED_TIMES = 2_000;
const MIN_COMPARED_TIMES = 3;
/** Maximum number of interface names, because a damaged file may contain any number of them. */
const MAX_NAMES = 64;

/**
 * Reads the beginning of a candump log before it is decoded. One line is enough when it has an absolute time and a
 * numbered interface, as in nearly every log. Finds the buses of interfaces without a number, and whether the times are
 * differences from the previous line (`candump -t d`).
 */
export class CandumpPrescan implements LogPrescan {
  readonly #line = new CandumpLog({ busOf: (name) => this.#note(name) });
  readonly #lines = new TextLines((text, start, end) => this.#read(text, start, end), 0);
  readonly #names = new Set<string>();
  /** Buses of interfaces whose name ends with a number. */
  readonly #numbered = new Set<number>();
  readonly #times: number[] = [];
  /** Interface without a number in the line that is being read. */
  #name = '';
  #hasAbsoluteTime = false;
  #isDone = false;

  get isDone(): boolean {
    return this.#isDone;
  }

  push(piece: Uint8Array): void {
    this.#lines.push(piece);
  }

  end(): void {
    this.#lines.end();
  }

  /** Buses of the interfaces whose name does not end with a number: in alphabetical order they get the lowest free bus numbers. */
  get buses(): ReadonlyMap<string, number> {
    const buses = new Map<string, number>();
    let bus = 0;
    for (const name of [...this.#names].sort()) {
      while (this.#numbered.has(bus)) bus += 1;
      buses.set(name, bus);
      bus += 1;
    }
    return buses;
  }

  /** Says which interface is which bus, if the prescan has chosen the buses. */
  get remarks(): readonly FormatFinding[] {
    if (this.#names.size + this.#numbered.size < 2 || this.#names.size === 0) return [];
    const buses = [...this.buses].map(([name, bus]) => ({ name, bus }));
    return [{ kind: 'unnumbered-interfaces', buses }];
  }

  /**
   * Whether the times are differences. Times that count from one moment grow: nearly all of the first half are below the median of
   * the second half.
   */
  get areDifferences(): boolean {
    const times = this.#times;
    if (this.#hasAbsoluteTime || times.length < MIN_COMPARED_TIMES) return false;
    const half = times.length >> 1;
    const later = times.slice(half).sort((a, b) => a - b);
    const middle = later[later.length >> 1] as number;
    const below = times.slice(0, half).filter((time) => time < middle).length;
    return below < 0.75 * half;
  }

  #read(text: Uint8Array, start: number, end: number): void {
    if (this.#isDone) return;
    this.#name = '';
    const kind = this.#line.read(text, start, end);
    if (kind === 'bad' || kind === 'blank') return;
    const { timeMs, bus } = this.#line.frame;
    if (this.#name === '') this.#numbered.add(bus);
    else if (this.#names.size < MAX_NAMES) this.#names.add(this.#name);
    if (timeMs >= EARLIEST_READING_MS) this.#hasAbsoluteTime = true;
    if (this.#times.length < MAX_COMPARED_TIMES) this.#times.push(timeMs);
    const isTimeKnown = this.#hasAbsoluteTime || this.#times.length === MAX_COMPARED_TIMES;
    this.#isDone = isTimeKnown && this.#names.size === 0;
  }

  #note(name: string): number {
    this.#name = name;
    return name === '' ? -1 : 0;
  }
}
