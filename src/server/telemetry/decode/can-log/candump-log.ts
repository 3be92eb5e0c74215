import type { Said } from '#server/telemetry/decode/log-outcome.ts';
import type { CanFrame, FrameLine, LineKind } from './can-frame.ts';
import { CandumpLine } from './candump.ts';
import { CandumpTerminalLine } from './candump-terminal.ts';

/** Reads the lines of a candump log in the format of `candump -L` or that of a terminal: the first line that can be read decides. */
export class CandumpLog implements FrameLine {
  readonly #log = new CandumpLine();
  readonly #terminal = new CandumpTerminalLine();
  #chosen: FrameLine | undefined;

  get frame(): CanFrame {
    return (this.#chosen ?? this.#log).frame;
  }

  get expected(): Said {
    return (this.#chosen ?? this.#log).expected;
  }

  /** @throws LogError 'relative times' for a terminal's line without absolute time */
  read(text: Uint8Array, start: number, end: number, whole: boolean): LineKind {
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
