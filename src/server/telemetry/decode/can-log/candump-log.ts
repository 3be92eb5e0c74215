import type { Said } from '#server/telemetry/decode/log-outcome.ts';
import type { CanFrame, FrameLine, LineKind } from './can-frame.ts';
import { CandumpLine } from './candump.ts';
import { CandumpTerminalLine } from './candump-terminal.ts';

export type CandumpOptions = {
  /** Returns the bus of an interface whose name ends with no number; -1 (default): a line of it is bad. */
  readonly busOf?: (name: string) => number;
  /** Each time is the difference to the line before. */
  readonly areDifferences?: boolean;
};

/** Reads the lines of a candump log in the format of `candump -L` or that of a terminal: the first line that can be read decides. */
export class CandumpLog implements FrameLine {
  readonly #log: CandumpLine;
  readonly #terminal: CandumpTerminalLine;
  readonly #areDifferences: boolean;
  #chosen: FrameLine | undefined;
  /** Sum of the differences so far, milliseconds. */
  #sumMs = 0;

  constructor({ busOf, areDifferences = false }: CandumpOptions = {}) {
    this.#log = new CandumpLine(busOf);
    this.#terminal = new CandumpTerminalLine(busOf);
    this.#areDifferences = areDifferences;
  }

  get frame(): CanFrame {
    return (this.#chosen ?? this.#log).frame;
  }

  get expected(): Said {
    return (this.#chosen ?? this.#log).expected;
  }

  /** @throws LogError 'no times' for a terminal's line without a time */
  read(text: Uint8Array, start: number, end: number, whole: boolean): LineKind {
    const kind = this.#readLine(text, start, end, whole);
    if (this.#areDifferences && kind !== 'bad' && kind !== 'blank') {
      this.#sumMs += this.frame.timeMs;
      this.frame.timeMs = this.#sumMs;
    }
    return kind;
  }

  #readLine(text: Uint8Array, start: number, end: number, whole: boolean): LineKind {
    if (this.#chosen !== undefined) return this.#chosen.read(text, start, end, whole);
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
