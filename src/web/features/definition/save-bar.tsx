import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { DefinitionView } from '#shared/contract/definition.ts';
import { ApiError, failureText } from '#web/lib/api.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { FailureAlert, Notice } from '#web/ui/notice.tsx';
import styles from './definition-page.module.css';
import { type DefinitionCalls, readDefinition } from './definition-queries.ts';
import { errorCount } from './mapping-draft.ts';
import { indexSignals } from './signal-index.ts';
import type { MappingEditing } from './use-editing.ts';

type Saving = {
  readonly isBusy: boolean;
  readonly failure: string | undefined;
  /** Whether the user tried to save a draft with errors; the errors of all rows are then shown. */
  readonly isChecked: boolean;
  /** The version that another user saved meanwhile. */
  readonly newer: DefinitionView | undefined;
  /** Resolves with whether the mapping was saved. */
  readonly save: () => Promise<boolean>;
  readonly clear: () => void;
  readonly closeConflict: () => void;
};

type SaveOptions = {
  readonly serial: string;
  readonly calls: DefinitionCalls;
  readonly editing: MappingEditing;
  readonly onSaved: () => void;
};

/** Saves the mapping, one save at a time. A draft with errors is not sent, and another user's version is not overwritten. */
export function useSaveMapping({ serial, calls, editing, onSaved }: SaveOptions): Saving {
  const { base, draft, rebaseOn } = editing;
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [isChecked, setIsChecked] = useState(false);
  const [newer, setNewer] = useState<DefinitionView>();
  const underWay = useRef(false);

  const clear = (): void => {
    setFailure(undefined);
    setIsChecked(false);
  };
  const send = async (): Promise<boolean> => {
    try {
      // Changes that the user makes during the call stay in the draft.
      rebaseOn(await calls.save(draft, base.version), draft);
      onSaved();
      return true;
    } catch (error) {
      setFailure(failureText(error, 'De koppeling is niet opgeslagen. Probeer het opnieuw.'));
      setNewer(await changedSince(error, serial, base.version));
      return false;
    }
  };
  const save = async (): Promise<boolean> => {
    if (underWay.current) return false;
    clear();
    const errors = errorCount(draft, indexSignals(base.buses));
    if (errors > 0) {
      setIsChecked(true);
      setFailure(
        `Niet opgeslagen: ${errors === 1 ? '1 koppeling klopt' : `${errors} koppelingen kloppen`} nog niet.`,
      );
      return false;
    }
    underWay.current = true;
    setIsBusy(true);
    const isSaved = await send();
    underWay.current = false;
    setIsBusy(false);
    return isSaved;
  };
  return { isBusy, failure, isChecked, newer, save, clear, closeConflict: () => setNewer(undefined) };
}

/** Returns the present definition if a save failed because another user changed it; else undefined. */
async function changedSince(
  error: unknown,
  serial: string,
  version: number,
): Promise<DefinitionView | undefined> {
  if (!(error instanceof ApiError) || error.code !== 'conflict') return undefined;
  const now = await readDefinition(serial).catch(() => undefined);
  return now && now.version !== version ? now : undefined;
}

type SaveBarProps = {
  readonly isDirty: boolean;
  /** Message about the last change. */
  readonly note: string | undefined;
  readonly saving: Saving;
  readonly configPath: string;
  readonly onUndo: () => void;
};

/** Bar at the bottom of the window that saves or undoes the changes, or reports the last change and the next step. */
export function SaveBar({ isDirty, note, saving, configPath, onUndo }: SaveBarProps) {
  const bar = useRef<HTMLElement>(null);
  const save = async (): Promise<void> => {
    const isSaved = await saving.save();
    // Moves the focus: after a save to the bar, because the pressed button disappears; after a failure to the first error.
    const firstError = document.querySelector<HTMLElement>('[data-definition] [aria-invalid="true"]');
    if (isSaved) bar.current?.focus({ preventScroll: true });
    else firstError?.focus();
  };
  const undo = (): void => {
    flushSync(onUndo);
    bar.current?.focus({ preventScroll: true });
  };
  const isShown = isDirty || note !== undefined;
  return (
    <section
      ref={bar}
      className={`${styles.bar} stack gap-2`}
      data-shown={isShown}
      aria-label="Wijzigingen"
      tabIndex={-1}
    >
      <FailureAlert>{isDirty ? saving.failure : undefined}</FailureAlert>
      <Notice>{note}</Notice>
      {!isDirty && note !== undefined && (
        <p className="cluster gap-x-3">
          De logger merkt dit pas met een nieuwe configuratie.{' '}
          <Link className="text-link" to={configPath}>
            Naar de configuratie
          </Link>
        </p>
      )}
      {isDirty && (
        <div className={`${styles.unsaved} gap-2 middle`}>
          <p className="strong" role="status">
            Niet opgeslagen wijzigingen
          </p>
          <Button variant="default" size="md" onClick={undo} aria-disabled={saving.isBusy || undefined}>
            Ongedaan maken
          </Button>
          <BusyButton isBusy={saving.isBusy} onClick={() => void save()}>
            Opslaan
          </BusyButton>
        </div>
      )}
    </section>
  );
}
