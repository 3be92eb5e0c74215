const BLANK = /\s*/y;
const LETTERS = /[A-Za-z_]\w*/y;
const NAME = /[^\s:;,"()[\]|@]+/y;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const DIGITS = /\d+/y;
const UP_TO_TEXT = /[^"\n]*/y;
const BARE_WORD = /[^\S\n]*(?:[A-Z_][A-Z0-9_]*[^\S\n]*)?(?:\n|$)/y;

const UNCLOSED = 'tekst zonder afsluitend aanhalingsteken';

/**
 * A statement that cannot be read. It is not an Error: a file may have a million of them, and creating a stack trace
 * takes time.
 */
export class BadStatement {
  /** Reason in Dutch. */
  readonly reason: string;
  /** The signal that cannot be decoded without this statement, if there is one. */
  readonly signal: DbcSignalReference | undefined;

  constructor(reason: string, signal?: DbcSignalReference) {
    this.reason = reason;
    this.signal = signal;
  }
}

/** Names a signal by its message. `rawId` includes bit 31, which marks an extended identifier. */
export type DbcSignalReference = { readonly rawId: number; readonly signal: string };

/**
 * Scans the text of a DBC, one token at a time. Every step is linear in the text that it reads. An unexpected token throws a
 * BadStatement; `passLine` then moves to the line after the first line of the statement.
 */
export class DbcScanner {
  readonly #text: string;
  #position = 0;
  /** End of the last token; spaces and line ends after it may have been skipped. */
  #tokenEnd = 0;
  #statementStart = 0;
  /** Position up to which lines have been counted; it only increases. */
  #countedTo = 0;
  #line = 1;
  /** A position after which the text has no quotes; Infinity until one is found. */
  #quotesEnd = Number.POSITIVE_INFINITY;

  constructor(text: string) {
    this.#text = text.replace(/\r\n?/g, '\n');
  }

  /** Line (1-based) on which the current statement begins. */
  get line(): number {
    return this.#line;
  }

  fail(reason: string): never {
    throw new BadStatement(reason);
  }

  /** Moves to the next statement; returns false at the end of the text. */
  nextStatement(): boolean {
    this.#match(BLANK);
    this.#statementStart = this.#position;
    this.#tokenEnd = this.#position;
    for (; this.#countedTo < this.#position; this.#countedTo++)
      if (this.#text.charCodeAt(this.#countedTo) === 10) this.#line += 1;
    return this.#position < this.#text.length;
  }

  /** Reads a keyword such as `BO_`; returns undefined for another token. */
  keyword(): string | undefined {
    return this.#token(LETTERS);
  }

  /** Reads the next word if it is one of these words. */
  optionalWord(words: readonly string[]): string | undefined {
    const [position, tokenEnd] = [this.#position, this.#tokenEnd];
    const word = this.keyword();
    if (word !== undefined && words.includes(word)) return word;
    this.#position = position;
    this.#tokenEnd = tokenEnd;
    return undefined;
  }

  /** Reads the name of a message or signal: all characters up to a space or punctuation. */
  name(what: string): string {
    return this.#token(NAME) ?? this.fail(`${what} ontbreekt`);
  }

  /** Reads a number in any spelling: `1`, `-0.5`, `1.7E+308`. */
  number(what: string): number {
    const digits = this.#token(NUMBER) ?? this.fail(`${what} is geen getal`);
    return Number(digits);
  }

  optionalNumber(): number | undefined {
    const digits = this.#token(NUMBER);
    return digits === undefined ? undefined : Number(digits);
  }

  /** Reads a number without sign, so that the minus of `3-5` is not part of it. */
  whole(what: string): number {
    const digits = this.#token(DIGITS) ?? this.fail(`${what} is geen geheel getal`);
    return Number(digits);
  }

  /** Reads one of `characters` and returns it. */
  expect(characters: string, what: string): string {
    this.#match(BLANK);
    const found = this.#text[this.#position];
    if (found === undefined || !characters.includes(found)) {
      const quoted = [...characters].map((one) => `'${one}'`).join(' of ');
      this.fail(`${what}: ${quoted} verwacht`);
    }
    this.#take();
    return found;
  }

  take(character: string): boolean {
    this.#match(BLANK);
    if (this.#text[this.#position] !== character) return false;
    this.#take();
    return true;
  }

  /** Reads a quoted text, which may span lines; `\"` is a quote inside it. Returns undefined if the next token is no text. */
  optionalText(what: string): string | undefined {
    this.#match(BLANK);
    if (this.#text[this.#position] !== '"') return undefined;
    const start = this.#position + 1;
    // An escaped quote cannot begin a text. If it could, a file with many of them would be scanned to its end for each one.
    if (this.#text[this.#position - 1] === '\\') this.fail(`${what}: '\\"' buiten een tekst`);
    let end = this.#quoteFrom(start);
    while (end !== -1 && this.#isEscaped(end, start)) end = this.#quoteFrom(end + 1);
    if (end === -1) this.fail(`${what}: ${UNCLOSED}`);
    this.#position = end;
    this.#take();
    return this.#text.slice(start, end).replaceAll('\\"', '"');
  }

  text(what: string): string {
    return this.optionalText(what) ?? this.fail(`${what}: tekst tussen aanhalingstekens verwacht`);
  }

  /** Reads a text on one line. A text that spans lines means a missing quote. */
  textOfLine(what: string): string {
    const text = this.text(what);
    return text.includes('\n') ? this.fail(`${what}: ${UNCLOSED}`) : text;
  }

  /** Reads the end of a statement: `;` or, as some tools write it, the end of the line. */
  endStatement(what: string): void {
    this.#match(BLANK);
    if (this.#text[this.#position] === ';') this.#take();
    else if (this.#position < this.#text.length && !this.#passedLine())
      this.fail(`${what} is niet goed afgesloten (aanhalingsteken te veel of vergeten?)`);
  }

  /** Skips the rest of a statement of one line, including its texts; only the last text may span lines. */
  passStatement(what: string): undefined {
    this.#position = this.#tokenEnd;
    for (;;) {
      this.#match(UP_TO_TEXT);
      if (this.#text[this.#position] !== '"') return;
      if (!this.text(what).includes('\n')) continue;
      this.endStatement(what);
      return;
    }
  }

  passRest(): void {
    this.#position = this.#lineEnd(this.#tokenEnd);
  }

  /** Skips the first line of the statement only. @returns that line */
  passLine(): string {
    this.#position = this.#lineEnd(this.#statementStart);
    return this.#text.slice(this.#statementStart, this.#position);
  }

  /** Skips the list of section names after `NS_ :`, which are no sections. */
  passNames(): undefined {
    this.passRest();
    while (this.#position < this.#text.length) if (this.#match(BARE_WORD) === undefined) return;
  }

  #lineEnd(from: number): number {
    const end = this.#text.indexOf('\n', from);
    return end === -1 ? this.#text.length : end;
  }

  #quoteFrom(start: number): number {
    if (start >= this.#quotesEnd) return -1;
    const found = this.#text.indexOf('"', start);
    if (found === -1) this.#quotesEnd = start;
    return found;
  }

  #isEscaped(quote: number, start: number): boolean {
    let backslashes = 0;
    while (quote - backslashes > start && this.#text[quote - backslashes - 1] === '\\') backslashes += 1;
    return backslashes % 2 === 1;
  }

  #passedLine(): boolean {
    return this.#text.slice(this.#tokenEnd, this.#position).includes('\n');
  }

  #take(): void {
    this.#position += 1;
    this.#tokenEnd = this.#position;
  }

  #token(pattern: RegExp): string | undefined {
    this.#match(BLANK);
    const found = this.#match(pattern);
    if (found !== undefined) this.#tokenEnd = this.#position;
    return found;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    this.#position = pattern.lastIndex;
    return found;
  }
}
