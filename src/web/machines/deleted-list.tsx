import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { dateAndTime } from '#shared/domain/nl.ts';
import { CardList } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import styles from './deleted-list.module.css';

/** A deleted machine or LMB logger that can still be restored. */
type Deleted = {
  readonly _id: number;
  readonly alias: string;
  readonly cleanorg: string;
  /** ISO times: of the deletion, and of the removal of the readings. */
  readonly deletedAt: string;
  readonly removedAt: string;
  readonly obstacle?: string | undefined;
};

type DeletedListProps<D extends Deleted> = {
  /** The TanStack query that loads the deleted items. */
  readonly query: Parameters<typeof RetryAlert>[0]['query'] & { readonly data: readonly D[] | undefined };
  /** Returns the text below the name: brand and model, if there are any, and the number. */
  readonly about: (deleted: D) => string;
  readonly onRestore: (deleted: D) => Promise<unknown>;
};

/** Lists deleted machines or loggers that administrators can restore; nothing if there are none. */
export function DeletedList<D extends Deleted>({ query, about, onRestore }: DeletedListProps<D>) {
  const titleId = useId();
  const [asked, setAsked] = useState<D>();
  if (!query.error && !query.data?.length) return null;
  return (
    <section className="mt-8" aria-labelledby={titleId}>
      <h2 className="mb-3" id={titleId}>
        Verwijderde machines
      </h2>
      <RetryAlert query={query} fallback="De verwijderde machines zijn niet geladen." />
      <CardList label="Verwijderde machines" items={query.data ?? []} keyOf={({ _id }) => _id}>
        {(deleted) => (
          <DeletedCard deleted={deleted} about={about(deleted)} onRestore={() => setAsked(deleted)} />
        )}
      </CardList>
      {asked && (
        <ConfirmDialog
          question="Wil je deze machine terugzetten"
          kind="change"
          onYes={() => onRestore(asked)}
          onClose={() => setAsked(undefined)}
          fallback="De machine is niet teruggezet. Probeer het opnieuw."
        >
          <p>
            <strong>{asked.alias}</strong>, {about(asked)}
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}

type DeletedCardProps = {
  readonly deleted: Deleted;
  readonly about: string;
  readonly onRestore: () => void;
};

function DeletedCard({ deleted, about, onRestore }: DeletedCardProps) {
  const { alias, cleanorg: organizationName, deletedAt, removedAt, obstacle } = deleted;
  return (
    <>
      <h3>{alias}</h3>
      <p>{about}</p>
      <p>{organizationName}</p>
      <p>Verwijderd op {dateAndTime(Date.parse(deletedAt))}</p>
      <p>Metingen blijven tot {dateAndTime(Date.parse(removedAt))}</p>
      <div className="mt-auto pt-2">
        {obstacle === undefined ? (
          <Button variant="default" size="md" aria-label={`Zet terug ${alias}`} onClick={onRestore}>
            Zet terug
          </Button>
        ) : (
          <p className={styles.obstacle}>Niet terug te zetten: {obstacle}</p>
        )}
      </div>
    </>
  );
}
