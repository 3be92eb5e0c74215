import { Button } from '@mantine/core';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { differences } from './draft-change.ts';
import type { MachineDraft } from './machine-draft.ts';

type ConflictDialogProps = {
  /** What was typed upon, what was typed, and what somebody else saved. */
  readonly base: MachineDraft;
  readonly draft: MachineDraft;
  readonly newer: MachineDraft;
  readonly onKeep: () => void;
  readonly onReload: () => void;
  readonly onClose: () => void;
};

/** Two who changed one machine: what the other one changed, and what becomes of this one's input. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { base, draft, newer, onKeep, onReload, onClose } = props;
  const theirs = differences(base, newer);
  const both = differences(draft, base).filter((word) => theirs.includes(word));
  const answer = (choose: () => void) => () => {
    choose();
    onClose();
  };
  return (
    <Dialog title="Iemand anders heeft deze machine intussen gewijzigd" onClose={onClose}>
      <DialogBody>
        {theirs.length > 0 && <p>Gewijzigd: {theirs.join(', ')}.</p>}
        {both.length > 0 && (
          <p>
            <strong>Ook door jou gewijzigd: {both.join(', ')}.</strong> Als je je invoer houdt, komt die bij
            het opslaan in de plaats van die van de ander.
          </p>
        )}
        <p>Er is nog niets opgeslagen.</p>
        <Button size="md" onClick={answer(onKeep)} data-first>
          Houd mijn invoer, neem de rest over
        </Button>
        <Button size="md" variant="default" onClick={answer(onReload)}>
          Laad opnieuw, zonder mijn invoer
        </Button>
      </DialogBody>
    </Dialog>
  );
}
