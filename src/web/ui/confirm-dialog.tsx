import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useBlocker } from 'react-router';
import { failureText } from '#web/lib/api.ts';
import { BusyButton } from './busy-button.tsx';
import styles from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';
import { FailureAlert } from './notice.tsx';

type ConfirmDialogProps = {
  /** The question, without its mark. */
  readonly question: string;
  /** The work. When it fails the dialog stays, with the server's words or `fallback`. */
  readonly onYes: () => Promise<unknown>;
  /** Draw it no longer: after 'Nee', Escape, and work that was done. */
  readonly onClose: () => void;
  /** What is said when the server says nothing. */
  readonly fallback?: string;
  /** Removing is red and begins at 'Nee'. */
  readonly kind?: 'remove' | 'change';
  /** What it is about: a name, what follows from it. */
  readonly children?: ReactNode;
};

/** 'Weet je zeker …' with Ja and Nee. Draw it outside of what the answer may take away. */
export function ConfirmDialog({
  question,
  onYes,
  onClose,
  fallback = 'Dat is niet gelukt. Probeer het opnieuw.',
  kind = 'remove',
  children,
}: ConfirmDialogProps) {
  const underWay = useRef(false);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: onYes,
    onSuccess: () => {
      flushSync(onClose);
      // What asked is about to go with what was removed: the focus stays in the page.
      if (kind === 'remove') document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    },
  });
  const yes = (): void => {
    // State is a render late for a second click.
    if (underWay.current) return;
    underWay.current = true;
    mutate(undefined, {
      onSettled: () => {
        underWay.current = false;
      },
    });
  };
  return (
    <Dialog title={question} onClose={() => isPending || onClose()}>
      {/* What was wrong is about what stood there before. */}
      <div className={styles.about} onInput={() => isPending || reset()}>
        {children}
      </div>
      <FailureAlert>{error ? failureText(error, fallback) : undefined}</FailureAlert>
      <div className={styles.answers}>
        <BusyButton isBusy={isPending} color={kind === 'remove' ? 'red.9' : 'machine'} onClick={yes}>
          Ja
        </BusyButton>
        <Button
          size="md"
          variant="default"
          aria-disabled={isPending || undefined}
          data-first={kind === 'remove' || undefined}
          onClick={() => isPending || onClose()}
        >
          Nee
        </Button>
      </div>
    </Dialog>
  );
}

/**
 * Asks before a page with unsaved input is left, and lets the browser ask when the tab is closed. `isDirty` is called
 * at that very moment, so that a form that has just been saved may go on at once.
 */
export function LeaveGuard({ isDirty }: { readonly isDirty: () => boolean }) {
  const latest = useRef(isDirty);
  latest.current = isDirty;
  const isLeaving = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && latest.current(),
  );
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (latest.current()) event.preventDefault();
    };
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, []);

  if (blocker.state !== 'blocked') return null;
  return (
    <ConfirmDialog
      question="Weet je zeker dat je deze pagina wilt verlaten"
      onYes={async () => {
        isLeaving.current = true;
        blocker.proceed();
      }}
      onClose={() => isLeaving.current || blocker.reset()}
    >
      <p>Je hebt wijzigingen die niet zijn opgeslagen. Die gaan dan verloren.</p>
    </ConfirmDialog>
  );
}
