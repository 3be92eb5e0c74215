import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { DefinitionView } from '#shared/contract/definition.ts';
import { ApiError, failureText } from '#web/lib/api.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { FailureAlert, Notice } from '#web/ui/notice.tsx';
import { type DefinitionCalls, readDefinition } from './definition-calls.ts';
import styles from './definition-page.module.css';
import { faultCount } from './mapping-draft.ts';
import { indexSignals } from './signal-index.ts';
import type { Editing } from './use-editing.ts';

type Saving = {
  readonly isBusy: boolean;
  readonly failure: string | undefined;
  /** A save was tried with faults: all of them are shown now. */
  readonly isChecked: boolean;
  /** What somebody else saved in the meantime. */
  readonly newer: DefinitionView | undefined;
  /** True once it is saved. */
  readonly save: () => Promise<boolean>;
  readonly forget: () => void;
  readonly closeConflict: () => void;
};

type SaveOptions = {
  readonly serial: string;
  readonly calls: DefinitionCalls;
  readonly editing: Editing;
  readonly onSaved: () => void;
};

/** Saves the mapping, once at a time: not with faults, and not over what somebody else saved (nothing is lost). */
export function useSave({ serial, calls, editing, onSaved }: SaveOptions): Saving {
  const { base, draft, take } = editing;
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [isChecked, setIsChecked] = useState(false);
  const [newer, setNewer] = useState<DefinitionView>();
  const underWay = useRef(false);

  const forget = (): void => {
    setFailure(undefined);
    setIsChecked(false);
  };
  const send = async (): Promise<boolean> => {
    try {
      // What is typed while it is under way stays.
      take(await calls.save(draft, base.version), draft);
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
    forget();
    const faults = faultCount(draft, indexSignals(base.buses));
    if (faults > 0) {
      setIsChecked(true);
      setFailure(
        `Niet opgeslagen: ${faults === 1 ? '1 koppeling klopt' : `${faults} koppelingen kloppen`} nog niet.`,
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
  return { isBusy, failure, isChecked, newer, save, forget, closeConflict: () => setNewer(undefined) };
}

/** The definition as it is now, when a refused save is about somebody else's change; else undefined. */
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
  /** What was done last. */
  readonly note: string | undefined;
  readonly saving: Saving;
  readonly configPath: string;
  readonly onUndo: () => void;
};

/** At the bottom of the window: what is not saved yet, or what was done and what must follow from it. */
export function SaveBar({ isDirty, note, saving, configPath, onUndo }: SaveBarProps) {
  const bar = useRef<HTMLElement>(null);
  const save = async (): Promise<void> => {
    const isSaved = await saving.save();
    // The button is gone, or what keeps it from being saved is further up.
    const fault = document.querySelector<HTMLElement>('[data-definition] [aria-invalid="true"]');
    if (isSaved) bar.current?.focus({ preventScroll: true });
    else fault?.focus();
  };
  const undo = (): void => {
    flushSync(onUndo);
    bar.current?.focus({ preventScroll: true });
  };
  const isShown = isDirty || note !== undefined;
  return (
    <section ref={bar} className={styles.bar} data-shown={isShown} aria-label="Wijzigingen" tabIndex={-1}>
      <FailureAlert>{isDirty ? saving.failure : undefined}</FailureAlert>
      <Notice>{note}</Notice>
      {!isDirty && note !== undefined && (
        <p className={styles.next}>
          De logger merkt dit pas met een nieuwe configuratie.{' '}
          <Link to={configPath}>Naar de configuratie</Link>
        </p>
      )}
      {isDirty && (
        <div className={styles.unsaved}>
          <p role="status">Niet opgeslagen wijzigingen</p>
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
