import { Button } from '@mantine/core';
import { useState } from 'react';
import type { DeletedMachine } from '#shared/contract/machines.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import { CardList } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { useDeletedMachines, useRestoreMachine } from './machine-list-calls.ts';
import styles from './machines-page.module.css';

/** What was deleted and can still come back, for administrators; nothing while there is none. */
export function DeletedMachines({ onRestored }: { readonly onRestored: (message: string) => void }) {
  const deleted = useDeletedMachines();
  const { mutateAsync: restore } = useRestoreMachine();
  const [asked, setAsked] = useState<DeletedMachine>();
  const answer = async ({ _id, alias }: DeletedMachine): Promise<void> => {
    const { message } = await restore(_id);
    onRestored(`${alias}: ${message}`);
  };
  if (!deleted.error && !deleted.data?.length) return null;
  return (
    <section className={styles.deleted} aria-labelledby="deleted-machines">
      <h2 id="deleted-machines">Verwijderde machines</h2>
      <RetryAlert query={deleted} fallback="De verwijderde machines zijn niet geladen." />
      <CardList label="Verwijderde machines" items={deleted.data ?? []} keyOf={({ _id }) => _id}>
        {(machine) => <DeletedCard machine={machine} onRestore={() => setAsked(machine)} />}
      </CardList>
      {asked && (
        <ConfirmDialog
          question="Wil je deze machine herstellen"
          kind="change"
          onYes={() => answer(asked)}
          onClose={() => setAsked(undefined)}
          fallback="De machine is niet hersteld. Probeer het opnieuw."
        >
          <p>
            <strong>
              {asked.alias} (#{asked.serialNumber})
            </strong>
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}

type DeletedCardProps = { readonly machine: DeletedMachine; readonly onRestore: () => void };

function DeletedCard({ machine, onRestore }: DeletedCardProps) {
  const {
    alias,
    brand,
    model,
    serialNumber,
    cleanorg: organizationName,
    deletedAt,
    removedAt,
    obstacle,
  } = machine;
  return (
    <>
      <h3>{alias}</h3>
      <p>
        {brand} {model} · #{serialNumber}
      </p>
      <p>{organizationName}</p>
      <p>Verwijderd op {dateAndTime(Date.parse(deletedAt))}</p>
      <p>Metingen blijven tot {dateAndTime(Date.parse(removedAt))}</p>
      <div className={styles.action}>
        {obstacle === undefined ? (
          <Button variant="default" size="md" aria-label={`Herstellen ${alias}`} onClick={onRestore}>
            Herstellen
          </Button>
        ) : (
          <p className={styles.obstacle}>Niet te herstellen: {obstacle}</p>
        )}
      </div>
    </>
  );
}
