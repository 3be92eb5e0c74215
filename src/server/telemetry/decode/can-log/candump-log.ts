import type { LineForm } from '#shared/domain/delivery-findings/format-texts.ts';
import type { CanFrame, FrameLineParser, LogLineKind, NamedBus } from './can-frame.ts';
import { CandumpLine } from './candump.ts';
import { CandumpTerminalLine } from './candump-terminal.ts';

export type CandumpOptions = {
  /** Returns the bus of an interface whose name does not end with a number; -1 makes its lines unreadable. Default: always -1. */
  readonly busOf?: (name: string) => number;
  /** Whether each time is the difference from the previous line. */
  readonly areDifferences?: boolean;
};

/** Maximum number of interface names, because a damaged file may contain any number of them. */
const MAX_NAMED = 64;
/** Factor that combines a bus and the length of its interface's name into one number: no name has so many characters. */
const LENGTHS = 256;

/**
 * Reads the lines of a candump log, in the format of `candump -L` or of a terminal. The first readable line decides
 * which.
 */
export class CandumpLog implements FrameLineParser {
  readonly #log: CandumpLine;
  readonly #terminal: CandumpTerminalLine;
  readonly #areDifferences: boolean;
  #chosen: CandumpLine | CandumpTerminalLine | undefined;
  readonly #named = new Map<number, NamedBus>();
  #sumMs = 0;

  constructor({ busOf, areDifferences = false }: CandumpOptions = {}) {
    this.#log = new CandumpLine(busOf);
    this.#terminal = new CandumpTerminalLine(busOf);
    this.#areDifferences = areDifferences;
  }

  get frame(): CanFrame {
    return (this.#chosen ?? this.#log).frame;
  }

  get expected(): LineForm {
    return (this.#chosen ?? this.#log).expected;
  }

  /** The named interfaces that sent a frame so far, by bus. Of two names of one bus with the same length, only the first is listed. */
  get buses(): readonly NamedBus[] {
    return [...this.#named.values()].sort((a, b) => a.bus - b.bus);
  }

  /** Reads a line. @throws LogError 'no times' for a line of terminal output without a time */
  read(text: Uint8Array, start: number, end: number): LogLineKind {
    const kind = this.#readLine(text, start, end);
    if (kind === 'frame') this.#noteBus(text);
    if (this.#areDifferences && kind !== 'bad' && kind !== 'blank') {
      this.#sumMs += this.frame.timeMs;
      this.frame.timeMs = this.#sumMs;
    }
    return kind;
  }

  #noteBus(text: Uint8Array): void {
    const line = this.#chosen ?? this.#log;
    const key = this.frame.bus * LENGTHS + line.nameTo - line.nameFrom;
    if (this.#named.has(key) || this.#named.size >= MAX_NAMED) return;
    this.#named.set(key, { name: line.nameIn(text), bus: this.frame.bus });
  }

  #readLine(text: Uint8Array, start: number, end: number): LogLineKind {
    if (this.#chosen !== undefined) return this.#chosen.read(text, start, end);
    const kind = this.#log.read(text, start, end);
    if (kind === 'blank') return kind;
    if (kind !== 'bad') {
      this.#chosen = this.#log;
      return kind;
    }
    const shown = this.#terminal.read(text, start, end);
    if (shown === 'bad' || shown === 'blank') return 'bad';
    this.#chosen = this.#terminal;
    return shown;
  }
}
