const BLANK = /\s*/y;
const LETTERS = /[A-Za-z_]\w*/y;
const NAME = /[^\s:;,"()[\]|@]+/y;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const DIGITS = /\d+/y;
const UP_TO_TEXT = /[^"\n]*/y;
const BARE_WORD = /[^\S\n]*(?:[A-Z_][A-Z0-9_]*[^\S\n]*)?(?:\n|$)/y;

const UNCLOSED = 'tekst zonder afsluitend aanhalingsteken';

/** A statement that cannot be read. Not an Error: a file may have a million of them, and a stack trace costs time. */
export class BadStatement {
  /** In Dutch. */
  readonly reason: string;
  /** The signal that cannot be read without this statement. */
  readonly signal: SignalName | undefined;

  constructor(reason: string, signal?: SignalName) {
    this.reason = reason;
    this.signal = signal;
  }
}

/** `rawId` still carries bit 31. */
export type SignalName = { readonly rawId: number; readonly signal: string };

/**
 * Walks over the text of a DBC, one token at a time. Every step is linear in what it passes. An unexpected token throws a
 * BadStatement; `passLine` then moves to the line after the one on which the statement began.
 */
export class DbcScanner {
  readonly #text: string;
  #position = 0;
  /** End of the last token; blanks and line ends may have been skipped since. */
  #tokenEnd = 0;
  #statementStart = 0;
  /** Where the line of `#position` was last counted; only ever moves forward. */
  #countedTo = 0;
  #line = 1;
  /** From here on there is no quote, as far as is known. */
  #quotesEnd = Number.POSITIVE_INFINITY;

  constructor(text: string) {
    this.#text = text.replace(/\r\n?/g, '\n');
  }

  /** Line (1-based) on which the statement that is being read began. */
  get line(): number {
    return this.#line;
  }

  fail(reason: string): never {
    throw new BadStatement(reason);
  }

  /** Goes to the next statement; false at the end of the text. */
  nextStatement(): boolean {
    this.#match(BLANK);
    this.#statementStart = this.#position;
    this.#tokenEnd = this.#position;
    for (; this.#countedTo < this.#position; this.#countedTo++)
      if (this.#text.charCodeAt(this.#countedTo) === 10) this.#line += 1;
    return this.#position < this.#text.length;
  }

  /** A keyword such as `BO_`, or undefined when something else stands here. */
  keyword(): string | undefined {
    return this.#token(LETTERS);
  }

  /** Takes the next word when it is one of these. */
  optionalWord(words: readonly string[]): string | undefined {
    const [position, tokenEnd] = [this.#position, this.#tokenEnd];
    const word = this.keyword();
    if (word !== undefined && words.includes(word)) return word;
    this.#position = position;
    this.#tokenEnd = tokenEnd;
    return undefined;
  }

  /** A message's or signal's name: anything up to a blank or punctuation. */
  name(what: string): string {
    return this.#token(NAME) ?? this.fail(`${what} ontbreekt`);
  }

  /** A number in any spelling: `1`, `-0.5`, `1.7E+308`. */
  number(what: string): number {
    const digits = this.#token(NUMBER) ?? this.fail(`${what} is geen getal`);
    return Number(digits);
  }

  optionalNumber(): number | undefined {
    const digits = this.#token(NUMBER);
    return digits === undefined ? undefined : Number(digits);
  }

  /** A number without sign, so that the minus of `3-5` stays behind. */
  whole(what: string): number {
    const digits = this.#token(DIGITS) ?? this.fail(`${what} is geen geheel getal`);
    return Number(digits);
  }

  /** Takes one of `characters`, and says which. */
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

  /** Takes `character` when it is next. */
  take(character: string): boolean {
    this.#match(BLANK);
    if (this.#text[this.#position] !== character) return false;
    this.#take();
    return true;
  }

  /** A quoted text, over several lines if need be; `\"` is a quote inside it. Undefined when none is here. */
  optionalText(what: string): string | undefined {
    this.#match(BLANK);
    if (this.#text[this.#position] !== '"') return undefined;
    const start = this.#position + 1;
    // Read as a text, each of many of these would go on to the end of the file.
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

  /** Returns a text of one line. A text over several lines means a missing quote. */
  textOfLine(what: string): string {
    const text = this.text(what);
    return text.includes('\n') ? this.fail(`${what}: ${UNCLOSED}`) : text;
  }

  /** A statement ends with `;` or, as some tools have it, with its line. */
  endStatement(what: string): void {
    this.#match(BLANK);
    if (this.#text[this.#position] === ';') this.#take();
    else if (this.#position < this.#text.length && !this.#passedLine())
      this.fail(`${what} is niet goed afgesloten (aanhalingsteken te veel of vergeten?)`);
  }

  /** Passes the rest of a statement of one line, with the texts in it; only the last text may go on over more lines. */
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

  /** Passes the rest of the line behind the last token. */
  passRest(): void {
    this.#position = this.#lineEnd(this.#tokenEnd);
  }

  /** Passes the line on which the statement began, and nothing below it. @returns the line */
  passLine(): string {
    this.#position = this.#lineEnd(this.#statementStart);
    return this.#text.slice(this.#statementStart, this.#position);
  }

  /** After `NS_ :` comes a list of bare section names, which are no sections: pass them. */
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

  /** Whether a line ended behind the last token. */
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
