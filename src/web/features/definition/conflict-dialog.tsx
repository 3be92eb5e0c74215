import { Button } from '@mantine/core';
import type { DefinitionView } from '#shared/contract/definition.ts';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { type MappingDraft, mappingDraftOf } from './mapping-draft.ts';
import { signalLabel } from './signal-text.ts';
import { changedRowNames } from './use-editing.ts';

type ConflictDialogProps = {
  /** The version on which the user's changes are based. */
  readonly base: DefinitionView;
  readonly draft: MappingDraft;
  /** The version that another user saved meanwhile. */
  readonly newer: DefinitionView;
  readonly onKeep: (newer: DefinitionView) => void;
  readonly onReload: (newer: DefinitionView) => void;
  readonly onClose: () => void;
};

const filesOf = ({ buses }: DefinitionView): string =>
  JSON.stringify(buses.map(({ bus, bitrate, name, messages }) => [bus, bitrate, name, messages]));

/** Dialog for when another user has saved the definition meanwhile: shows that user's changes, and asks whether to keep one's own. */
export function ConflictDialog({ base, draft, newer, onKeep, onReload, onClose }: ConflictDialogProps) {
  const theirs = changedRowNames(mappingDraftOf(base), mappingDraftOf(newer));
  const both = changedRowNames(draft, mappingDraftOf(base)).filter((name) => theirs.includes(name));
  const files = filesOf(base) === filesOf(newer) ? [] : ['de DBC-bestanden'];
  const answer = (choose: (newer: DefinitionView) => void) => () => {
    choose(newer);
    onClose();
  };
  const changed = [...files, ...theirs.map(signalLabel)];
  return (
    <Dialog title="Iemand anders heeft de koppeling intussen gewijzigd" onClose={onClose}>
      <DialogBody>
        {changed.length > 0 && <p>Gewijzigd: {changed.join(', ')}.</p>}
        {both.length > 0 && (
          <p>
            <strong>Ook door jou gewijzigd: {both.map(signalLabel).join(', ')}.</strong> Als je je wijzigingen
            houdt, komen die bij het opslaan in de plaats van die van de ander; de rest wordt overgenomen.
          </p>
        )}
        <p>Er is nog niets opgeslagen.</p>
        <Button size="md" onClick={answer(onKeep)} data-first>
          Houd mijn wijzigingen
        </Button>
        <Button size="md" variant="default" onClick={answer(onReload)}>
          Laad zonder mijn wijzigingen
        </Button>
      </DialogBody>
    </Dialog>
  );
}
