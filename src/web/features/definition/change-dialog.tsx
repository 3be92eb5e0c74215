import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { ChangedDefinitionView, DefinitionChange } from '#shared/contract/definition.ts';
import { ChangeList } from '#web/ui/change-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';

/** A change of the definition that is made after the user confirms it in a dialog. */
export type ConfirmableChange = {
  /** Question of the dialog, without its question mark. */
  readonly question: string;
  readonly fallback: string;
  /** Asks the server what the change would add and remove; nothing is stored. */
  readonly loadChanges: () => Promise<ChangedDefinitionView>;
  /** Makes the change. `version`: the version of the definition for which the dialog showed what would change. */
  readonly onYes: (version: number) => Promise<void>;
};

/** Dialog that shows what a change would add to and remove from the present definition, and asks for confirmation. */
export function ChangeDialog({
  question,
  fallback,
  loadChanges,
  onYes,
  onClose,
}: ConfirmableChange & { onClose: () => void }) {
  const preview = useQuery({
    queryKey: ['definition-question', useId()],
    queryFn: loadChanges,
    gcTime: 0,
    retry: false,
  });
  const { data, error } = preview;
  return (
    <ConfirmDialog
      question={question}
      fallback={fallback}
      onYes={async () => {
        if (!data) throw new Error('The changes are not loaded yet.');
        await onYes(data.version);
      }}
      onClose={onClose}
    >
      <RetryAlert query={preview} fallback="Wat er verandert is niet geladen." />
      {!data && !error && <p role="status">Wat er verandert wordt geladen</p>}
      {data?.changes && <Changes changes={data.changes} />}
    </ConfirmDialog>
  );
}

const Changes = ({ changes }: { readonly changes: readonly DefinitionChange[] }) =>
  changes.length === 0 ? (
    <p>Er verandert niets: dit is gelijk aan wat er nu is.</p>
  ) : (
    <>
      <p>Dit verandert er. De versie van nu blijft bij Eerdere versies staan.</p>
      <ChangeList changes={changes} />
    </>
  );
