import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from './confirm-dialog.tsx';

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
