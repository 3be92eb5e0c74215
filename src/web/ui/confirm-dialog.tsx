import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useBlocker } from 'react-router';
import { failureText } from '#web/lib/api.ts';
import { BusyButton } from './busy-button.tsx';
import { Dialog } from './dialog.tsx';
import { FailureAlert } from './notice.tsx';

type ConfirmDialogProps = {
  /** The question, without its question mark. */
  readonly question: string;
  /** Does the work. If it rejects, the dialog stays, with the server's message or `fallback`. */
  readonly onYes: () => Promise<unknown>;
  /** Called after 'Nee', Escape, and work that succeeded; the caller removes the dialog. */
  readonly onClose: () => void;
  /** Shown when the server gives no message. */
  readonly fallback?: string;
  /** 'remove' has a red button, and the focus starts at 'Nee'. */
  readonly kind?: 'remove' | 'change';
  /** The subject of the question and its consequences. */
  readonly children?: ReactNode;
};

/** Asks 'Weet je zeker …' with Ja and Nee. Render it outside the element that the answer may remove. */
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
      // The button that opened the dialog disappears with the removed item, so the focus moves to the page.
      if (kind === 'remove') document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    },
  });
  const yes = (): void => {
    // Uses a ref to ignore a second click, because a state would change only with the next render, after that click.
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
      {/* An error concerns the earlier input, so new input clears it. */}
      <div className="stack mb-3 wrap" onInput={() => isPending || reset()}>
        {children}
      </div>
      <FailureAlert>{error ? failureText(error, fallback) : undefined}</FailureAlert>
      <div className="answers mt-2">
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
 * Asks for confirmation before the user leaves a page with unsaved input, and lets the browser ask when the tab
 * is closed. Calls `isDirty` when the user leaves, so that a form that has just been saved can navigate at once.
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
