import { Loader } from '@mantine/core';
import { type ChainStep, STEP_WORDS } from '#web/machines/creation-chain.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './chain-dialog.module.css';

/** While the chain runs; it cannot be closed, since what it does goes on anyway. */
export function ChainDialog({ step }: { readonly step: ChainStep }) {
  return (
    <Dialog title="Laden... dit kan even duren" onClose={() => undefined}>
      <p role="status" className={styles.step} data-first tabIndex={-1}>
        <Loader size="1.25rem" aria-hidden />
        {STEP_WORDS[step][0]}
      </p>
    </Dialog>
  );
}
