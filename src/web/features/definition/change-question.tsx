import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { ChangedView, DefinitionChange } from '#shared/contract/definition.ts';
import { ChangeList } from '#web/ui/change-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';

/** A change of the definition that a person is asked about first. */
export type Question = {
  /** Without its mark. */
  readonly question: string;
  readonly fallback: string;
  /** What would change; nothing is stored by it. */
  readonly ask: () => Promise<ChangedView>;
  /** Carries it out, upon the version that was asked about. */
  readonly onYes: (version: number) => Promise<void>;
};

/** Says what a change does before it is made: what of today's definition goes, and what comes. */
export function ChangeQuestion({
  question,
  fallback,
  ask,
  onYes,
  onClose,
}: Question & { onClose: () => void }) {
  const asked = useQuery({
    queryKey: ['definition-question', useId()],
    queryFn: ask,
    gcTime: 0,
    retry: false,
  });
  const { data, error } = asked;
  return (
    <ConfirmDialog
      question={question}
      fallback={fallback}
      onYes={async () => {
        if (!data) throw new Error('What would change is not known yet.');
        await onYes(data.version);
      }}
      onClose={onClose}
    >
      <RetryAlert query={asked} fallback="Wat er verandert is niet geladen." />
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
