import { type Dbc, DbcError, DbcFindings, type DbcMessage, messageKey } from './dbc.ts';
import { buildDbcMessage } from './dbc-finish.ts';
import { applyStatement, type DraftMessage, draftMessage, draftSignal } from './dbc-messages.ts';
import { LongNames } from './dbc-names.ts';
import { type ReferringStatement, readStatements, type UnreadableLine } from './dbc-statements.ts';

/** Name of the message that holds the signals that no message sends (Vector's tools). The logger vendor's reader skips it too. */
const PSEUDO_MESSAGE = 'VECTOR__INDEPENDENT_SIG_MSG';

/**
 * Parses a DBC. Lists unreadable lines in `unreadable` and continues after them. An unreadable signal whose bit layout can be read
 * stays in its message, marked `unreadable`. A message without a usable identifier is left out with its signals.
 * @param source name of the file, put before "regel 12" in an error
 * @throws DbcError with line and Dutch reason for a file without a message, or one that has an error and no readable signal
 */
export function parseDbc(text: string, source?: string): Dbc {
  const findings = new DbcFindings();
  const drafts = new Drafts(findings);
  for (const statement of readStatements(text)) {
    if (statement.kind === 'message') {
      if (statement.name === PSEUDO_MESSAGE) drafts.passMessage();
      else drafts.add(draftMessage(statement, findings));
    } else if (statement.kind === 'signal') {
      if (drafts.current === undefined)
        findings.fail(statement.line, `SG_ ${statement.name} staat niet onder een bericht (BO_)`);
      else if (drafts.current !== 'passed') draftSignal(drafts.current, statement, findings);
    } else if (statement.kind === 'unread') drafts.addUnread(statement);
    else drafts.addAbout(statement);
  }
  const messages = drafts.finish();
  const isRead = messages.some(({ signals }) => signals.some(({ unreadable }) => unreadable === undefined));
  const failure = findings.firstFailure;
  if (failure && !isRead) throw new DbcError(failure.line, failure.text, source);
  if (messages.length === 0)
    throw new DbcError(1, 'geen enkel bericht (BO_) gevonden: dit is geen DBC-bestand', source);
  return { messages, warnings: findings.warnings, unreadable: findings.unreadable };
}

/** Collects the messages of a file. */
class Drafts {
  readonly #findings: DbcFindings;
  readonly #messages = new Map<number, DraftMessage>();
  readonly #byRawId = new Map<number, DraftMessage>();
  readonly #about: ReferringStatement[] = [];
  /** Whether the last statement was about a message or its signals. */
  #isAmongSignals = false;
  #hasLostRanges = false;
  /** The message that the next signal belongs to; 'passed' if that message is skipped. */
  current: DraftMessage | 'passed' | undefined;

  constructor(findings: DbcFindings) {
    this.#findings = findings;
  }

  /** Adds a message. @param draft undefined when the message cannot be used */
  add(draft: DraftMessage | undefined): void {
    this.passMessage();
    if (draft === undefined) return;
    const { line, name, rawId } = draft.at;
    const key = messageKey(draft);
    const twin = this.#messages.get(key);
    if (twin) {
      this.#findings.fail(line, `bericht ${name} heeft hetzelfde nummer als ${twin.at.name}`);
      return;
    }
    this.#messages.set(key, draft);
    this.#byRawId.set(rawId, draft);
    this.current = draft;
  }

  passMessage(): void {
    this.#isAmongSignals = true;
    this.current = 'passed';
  }

  addAbout(statement: ReferringStatement): void {
    this.#isAmongSignals = false;
    this.#about.push(statement);
  }

  addUnread({ line, keyword, reason, isLikeSignal }: UnreadableLine): void {
    if (keyword === 'SG_' || isLikeSignal) {
      if (this.current !== 'passed') this.#findings.fail(line, reason);
    } else if (keyword === undefined) this.#loseMessage(line, reason);
    else {
      this.#findings.fail(line, reason);
      if (keyword === 'BO_') this.passMessage();
      if (keyword === 'SG_MUL_VAL_') this.#hasLostRanges = true;
    }
  }

  /**
   * Ends the current message: an unknown line may have been a message, so the signals after it may not belong to the message before
   * it.
   */
  #loseMessage(line: number, reason: string): void {
    if (this.#isAmongSignals && this.current !== 'passed') this.#findings.fail(line, reason);
    this.current = this.#isAmongSignals ? 'passed' : undefined;
  }

  finish(): DbcMessage[] {
    for (const statement of this.#about)
      applyStatement(statement, this.#byRawId.get(statement.rawId), this.#findings);
    const drafts = [...this.#messages.values()];
    const names = new LongNames(drafts.map(({ at }) => at.name));
    return drafts.map((draft) => ({
      ...buildDbcMessage(draft, this.#hasLostRanges, this.#findings),
      ...names.of(draft.at.name, draft.longName),
    }));
  }
}
