import { Button } from '@mantine/core';
import { useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { SeenSources } from '#shared/contract/definition.ts';
import { targetError } from '#shared/domain/mapping-target.ts';
import { comesFromGps } from '#shared/domain/open-proposals.ts';
import { conversionText, unitWarning } from '#shared/domain/signal-units.ts';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { FactorFields } from './factor-fields.tsx';
import { chosen, type DraftRow, isOwnName, readFactor, sourceFault } from './mapping-draft.ts';
import styles from './mapping-row.module.css';
import { AbsentNote, SenderField } from './sender-field.tsx';
import { findSource, type IndexedSignal, rangeText, type SignalIndex, type Source } from './signal-index.ts';
import { nameAndUnit, wordFor } from './signal-words.ts';

type MappingRowProps = {
  readonly row: DraftRow;
  readonly index: SignalIndex;
  readonly proposal: IndexedSignal | undefined;
  /** Nothing feeds it here, but a name that means the same does: SOC1 for Soc1. */
  readonly isFed: boolean;
  readonly seen: SeenSources | null;
  /** Its source is a proposal that is not saved yet. */
  readonly isProposed: boolean;
  readonly isChecked: boolean;
  readonly onPick: () => void;
  readonly onTake: (signal: IndexedSignal) => void;
  readonly onChange: (change: Partial<DraftRow>) => void;
  /** For an own name. */
  readonly onRemove: () => void;
};

/** One signal of ours, or an own name, and where it comes from. */
export function MappingRow(props: MappingRowProps) {
  const { row, index, proposal, isFed, seen, isProposed, isChecked, onPick, onTake, onChange, onRemove } =
    props;
  const { to, source } = row;
  const faultId = useId();
  const proposedId = useId();
  const noteId = useId();
  const pick = useRef<HTMLButtonElement>(null);
  const word = wordFor(to);
  const isOwn = isOwnName(to);
  const fault = source || isChecked ? sourceFault(row, index) : undefined;
  const found = source && findSource(index, source);
  const note = noteOf(row, found);
  const about = [fault !== undefined && faultId, isProposed && proposedId, note && noteId].filter(Boolean);

  /** The button that was pressed goes: what one does next has the focus. */
  const andFocus = (work: () => void) => (): void => {
    flushSync(work);
    pick.current?.focus();
  };
  return (
    <li className={styles.row} data-open={!source || undefined} data-proposed={isProposed || undefined}>
      <div className={styles.name}>
        <strong>{word}</strong> {nameAndUnit(to) && <span>({nameAndUnit(to)})</span>}
      </div>
      <div className={styles.from}>
        <button
          ref={pick}
          type="button"
          className={styles.pick}
          aria-haspopup="dialog"
          data-invalid={fault !== undefined || undefined}
          aria-invalid={fault !== undefined || undefined}
          aria-describedby={about.join(' ') || undefined}
          onClick={onPick}
        >
          <span className="sr-only">{word}: </span>
          {source ? (
            <SignalSource source={source} found={found} />
          ) : (
            <span className={styles.none}>Kies een signaal</span>
          )}
        </button>
        {isProposed && (
          <p id={proposedId} className={styles.proposed}>
            Voorstel, nog niet opgeslagen
          </p>
        )}
        {note && (
          <p id={noteId} className={note.isWarning ? styles.warning : styles.note}>
            {note.text}
          </p>
        )}
        {fault !== undefined && (
          <p id={faultId} className={styles.fault}>
            {fault}
          </p>
        )}
        {source && (found?.isOfAnySource || row.sender) && (
          <SenderField row={row} of={word} found={found} seen={seen} onChange={onChange} />
        )}
        {source && <AbsentNote to={to} seen={seen} />}
        {proposal && (
          <div className={styles.proposal}>
            <p>
              Voorstel: <strong>{proposal.signal}</strong> uit {proposal.message} (can{proposal.bus})
              <ProposalUnit row={row} proposal={proposal} index={index} />
            </p>
            <Button variant="light" size="md" onClick={andFocus(() => onTake(proposal))}>
              Overnemen<span className="sr-only"> voor {word}</span>
            </Button>
          </div>
        )}
        {!source && whyEmpty(to, isFed)}
      </div>
      {source && <FactorFields row={row} of={word} isChecked={isChecked} onChange={onChange} />}
      <div className={styles.end}>
        {isOwn ? (
          <DeleteButton of={to} look="icon" onClick={onRemove} />
        ) : (
          source && (
            <button
              type="button"
              className={styles.clear}
              title="Wis koppeling"
              aria-label={`Wis koppeling van ${word}`}
              onClick={andFocus(() => onChange({ source: undefined, factor: '', offset: '' }))}
            >
              <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
                <path
                  d="M6.5 6.5l11 11M17.5 6.5l-11 11"
                  stroke="currentColor"
                  strokeWidth="2"
                  strokeLinecap="round"
                />
              </svg>
            </button>
          )
        )}
      </div>
    </li>
  );
}

function whyEmpty(to: string, isFed: boolean) {
  if (comesFromGps(to)) return <p className={styles.note}>Leeg: van de gps van de logger zelf.</p>;
  return isFed ? <p className={styles.note}>Komt al van een eigen naam hieronder.</p> : null;
}

type Note = { readonly text: string; readonly isWarning: boolean };

/** Returns the note below a row: its name or the unit of its signal does not fit, or the unit was converted. */
function noteOf(row: DraftRow, found: IndexedSignal | undefined): Note | undefined {
  const warning = targetError(row.to) ?? (found && unitWarning(row.to, found, readFactor(row.factor) ?? 1));
  if (warning !== undefined) return { text: `Let op: ${warning}`, isWarning: true };
  const words = found && conversionText(row.to, found);
  return words === undefined
    ? undefined
    : { text: `${words.charAt(0).toUpperCase()}${words.slice(1)}.`, isWarning: false };
}

type ProposalUnitProps = Pick<MappingRowProps, 'row' | 'index'> & { readonly proposal: IndexedSignal };

/** ', omgerekend van mph (factor 1,609344)': what taking the proposal over does with its unit. */
function ProposalUnit({ row, index, proposal }: ProposalUnitProps) {
  const taken = { ...row, ...chosen(row, proposal, index) };
  const note = noteOf(taken, proposal);
  if (note?.isWarning) return <span className={styles.warning}>{note.text}</span>;
  const words = conversionText(row.to, proposal);
  return words === undefined ? null : <>, {`${words} (factor ${taken.factor})`}</>;
}

type SignalSourceProps = {
  readonly source: Source;
  /** Undefined when the DBC files do not have it. */
  readonly found: IndexedSignal | undefined;
};

/** A DBC signal that was chosen: its name, its place, and what its DBC says of it. */
function SignalSource({ source, found }: SignalSourceProps) {
  const bus = found?.bus ?? source.bus;
  const place = [bus === undefined ? undefined : `can${bus}`, found?.message ?? source.message];
  const about = found ? [rangeText(found), found.activeWhen && `alleen bij ${found.activeWhen}`] : [];
  return (
    <>
      <span className={styles.signal}>{source.signal}</span>
      <span className={styles.about}>{[...place, ...about].filter(Boolean).join(' · ')}</span>
      {found && found.comment !== '' && <span className={styles.about}>{found.comment}</span>}
    </>
  );
}
