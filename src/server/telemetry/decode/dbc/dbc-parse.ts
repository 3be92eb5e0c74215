import { type Dbc, DbcFindings, messageKey } from './dbc.ts';
import {
  applyStatement,
  type DraftMessage,
  draftMessage,
  draftSignal,
  finishMessage,
} from './dbc-messages.ts';
import { type AboutStatement, readStatements } from './dbc-statements.ts';

/** Holds the signals that no message sends (Vector's tools); the logger vendor's reader passes it too. */
const PSEUDO_MESSAGE = 'VECTOR__INDEPENDENT_SIG_MSG';

/**
 * Reads a DBC. A signal that can never be decoded (outside its message, in an unknown multiplex branch)
 * stays in the list, marked `unreadable`, and is told of in `warnings`.
 * @param source a name for the file, put before "regel 12" in an error
 * @throws DbcError with line and Dutch reason for a file that is broken or describes no message
 */
export function parseDbc(text: string, source?: string): Dbc {
  const findings = new DbcFindings(source);
  const messages = new Map<number, DraftMessage>();
  const byRawId = new Map<number, DraftMessage>();
  const about: AboutStatement[] = [];
  let current: DraftMessage | 'passed' | undefined;
  for (const statement of readStatements(text, source)) {
    if (statement.kind === 'message') {
      current = 'passed';
      if (statement.name === PSEUDO_MESSAGE) continue;
      current = draftMessage(statement, findings);
      const twin = messages.get(messageKey(current));
      if (twin)
        findings.fail(statement.line, `bericht ${statement.name} heeft hetzelfde nummer als ${twin.at.name}`);
      messages.set(messageKey(current), current);
      byRawId.set(statement.rawId, current);
    } else if (statement.kind !== 'signal') {
      about.push(statement);
    } else if (current === undefined) {
      findings.fail(statement.line, `SG_ ${statement.name} staat niet onder een bericht (BO_)`);
    } else if (current !== 'passed') {
      draftSignal(current, statement, findings);
    }
  }
  if (messages.size === 0) findings.fail(1, 'geen enkel bericht (BO_) gevonden: dit is geen DBC-bestand');
  for (const statement of about) applyStatement(statement, byRawId.get(statement.rawId), findings);
  const finished = [...messages.values()].map((draft) => finishMessage(draft, findings));
  return { messages: finished, warnings: findings.warnings };
}
