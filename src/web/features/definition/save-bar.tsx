import { Button } from '@mantine/core';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { FailureAlert, Notice } from '#web/ui/notice.tsx';
import styles from './save-bar.module.css';
import type { Saving } from './use-save.ts';

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
