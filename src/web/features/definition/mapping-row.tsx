import { Button } from '@mantine/core';
import { useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { SeenJ1939Sources } from '#shared/contract/definition.ts';
import { mappingTargetError } from '#shared/domain/mapping-target.ts';
import { comesFromGps } from '#shared/domain/open-proposals.ts';
import { conversionText, unitWarning } from '#shared/domain/signal-units.ts';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { FactorFields } from './factor-fields.tsx';
import {
  type DraftRow,
  draftChangeForSource,
  isCustomSignalName,
  readFactor,
  sourceError,
} from './mapping-draft.ts';
import styles from './mapping-row.module.css';
import { AbsentValuesNote, SenderField } from './sender-field.tsx';
import {
  findSource,
  type IndexedSignal,
  type MappedSource,
  rangeText,
  type SignalIndex,
} from './signal-index.ts';
import { nameAndUnit, signalLabel } from './signal-text.ts';

type MappingRowProps = {
  readonly row: DraftRow;
  readonly index: SignalIndex;
  readonly proposal: IndexedSignal | undefined;
  /** Whether the row has no source because a custom name with the same meaning is mapped: SOC1 instead of Soc1. */
  readonly isFed: boolean;
  readonly seen: SeenJ1939Sources | null;
  /** Whether the source is an accepted proposal that is not saved yet. */
  readonly isProposed: boolean;
  readonly isChecked: boolean;
  readonly onPick: () => void;
  readonly onAccept: (signal: IndexedSignal) => void;
  readonly onChange: (change: Partial<DraftRow>) => void;
  /** Removes the row of a custom name. */
  readonly onRemove: () => void;
};

/** Row of one signal of the portal, or of a custom name, with the DBC signal that feeds it. */
export function MappingRow(props: MappingRowProps) {
  const { row, index, proposal, isFed, seen, isProposed, isChecked, onPick, onAccept, onChange, onRemove } =
    props;
  const { to, source } = row;
  const errorId = useId();
  const proposedId = useId();
  const noteId = useId();
  const pick = useRef<HTMLButtonElement>(null);
  const word = signalLabel(to);
  const isOwn = isCustomSignalName(to);
  const error = source || isChecked ? sourceError(row, index) : undefined;
  const found = source && findSource(index, source);
  const note = noteOf(row, found);
  const about = [error !== undefined && errorId, isProposed && proposedId, note && noteId].filter(Boolean);

  /** Runs `work`, then moves the focus to the row's button for choosing a signal, because the pressed button disappears. */
  const andFocus = (work: () => void) => (): void => {
    flushSync(work);
    pick.current?.focus();
  };
  return (
    <li
      className={`${styles.row} gap-2 top py-3 line-below`}
      data-open={!source || undefined}
      data-proposed={isProposed || undefined}
    >
      <div className={`${styles.name} py-1 tight wrap`}>
        <strong>{word}</strong> {nameAndUnit(to) && <span className="block">({nameAndUnit(to)})</span>}
      </div>
      <div className={styles.from}>
        <button
          ref={pick}
          type="button"
          className={styles.pick}
          aria-haspopup="dialog"
          data-invalid={error !== undefined || undefined}
          aria-invalid={error !== undefined || undefined}
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
          <p id={proposedId} className="tag self-start">
            Voorstel, nog niet opgeslagen
          </p>
        )}
        {note && (
          <p id={noteId} className={note.isWarning ? `${styles.warning} pl-3 small tight` : styles.note}>
            {note.text}
          </p>
        )}
        {error !== undefined && (
          <p id={errorId} className="alarming small">
            {error}
          </p>
        )}
        {source && (found?.isOfAnySource || row.sender) && (
          <SenderField row={row} of={word} found={found} seen={seen} onChange={onChange} />
        )}
        {source && <AbsentValuesNote to={to} seen={seen} />}
        {proposal && (
          <div className={`${styles.proposal} beside-end middle pl-3`}>
            <p>
              Voorstel: <strong>{proposal.signal}</strong> uit {proposal.message} (can{proposal.bus})
              <ProposalUnit row={row} proposal={proposal} index={index} />
            </p>
            <Button variant="light" size="md" onClick={andFocus(() => onAccept(proposal))}>
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
              className="icon-button quiet hover"
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

/** Returns the note below a row: a warning if its name or unit does not fit, or how the unit is converted. */
function noteOf(row: DraftRow, found: IndexedSignal | undefined): Note | undefined {
  const warning =
    mappingTargetError(row.to) ?? (found && unitWarning(row.to, found, readFactor(row.factor) ?? 1));
  if (warning !== undefined) return { text: `Let op: ${warning}`, isWarning: true };
  const text = found && conversionText(row.to, found);
  return text === undefined
    ? undefined
    : { text: `${text.charAt(0).toUpperCase()}${text.slice(1)}.`, isWarning: false };
}

type ProposalUnitProps = Pick<MappingRowProps, 'row' | 'index'> & { readonly proposal: IndexedSignal };

/** Shows how accepting the proposal converts its unit: ', omgerekend van mph (factor 1,609344)'. */
function ProposalUnit({ row, index, proposal }: ProposalUnitProps) {
  const accepted = { ...row, ...draftChangeForSource(row, proposal, index) };
  const note = noteOf(accepted, proposal);
  if (note?.isWarning) return <span className={`${styles.warning} block pl-3 small tight`}>{note.text}</span>;
  const text = conversionText(row.to, proposal);
  return text === undefined ? null : <>, {`${text} (factor ${accepted.factor})`}</>;
}

type SignalSourceProps = {
  readonly source: MappedSource;
  /** The signal in the DBC files; undefined if they do not have it. */
  readonly found: IndexedSignal | undefined;
};

/** The chosen DBC signal: its name, bus and message, and what its DBC file says about it. */
function SignalSource({ source, found }: SignalSourceProps) {
  const bus = found?.bus ?? source.bus;
  const place = [bus === undefined ? undefined : `can${bus}`, found?.message ?? source.message];
  const about = found ? [rangeText(found), found.activeWhen && `alleen bij ${found.activeWhen}`] : [];
  return (
    <>
      <span className="strong wrap">{source.signal}</span>
      <span className={`${styles.about} tight wrap`}>{[...place, ...about].filter(Boolean).join(' · ')}</span>
      {found && found.comment !== '' && <span className={`${styles.about} tight wrap`}>{found.comment}</span>}
    </>
  );
}
