import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { dateAndTime } from '#shared/domain/nl.ts';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';

/** A deleted machine or LMB logger. */
type Deleted = {
  readonly alias: string;
  readonly organization: string;
  /** ISO time. */
  readonly deletedAt: string;
  readonly obstacle?: string | undefined;
};

/**
 * Returns the first deleted machine with the wanted number that can be restored. Ignores machines of other
 * organizations, whose existence is not revealed.
 * @param deleted sorted by the time of the deletion, the newest first
 * @param numberOf returns the serial number or loggerid
 */
export const findDeletedBefore = <D extends Deleted>(
  deleted: readonly D[],
  numberOf: (deleted: D) => string,
  wanted: { readonly number: string; readonly organization: string },
): D | undefined =>
  deleted.find(
    (one) =>
      one.organization === wanted.organization &&
      one.obstacle === undefined &&
      numberOf(one).toLowerCase() === wanted.number.trim().toLowerCase(),
  );

type Answer = 'restore' | 'new' | 'nothing';

type RestoreOffer = {
  /** Asks whether to restore the machine with its history, or to create a new one. */
  readonly ask: (deleted: Deleted) => Promise<Answer>;
  /** The dialog, which the caller must render. */
  readonly dialog: ReactNode;
};

/** Returns a dialog that asks whether to restore a deleted machine when a new machine gets its number. */
export function useRestoreOffer(): RestoreOffer {
  const [asked, setAsked] = useState<{ deleted: Deleted; answer: (answer: Answer) => void }>();
  return {
    ask: (deleted) =>
      new Promise((resolve) => {
        const answer = (given: Answer): void => {
          setAsked(undefined);
          resolve(given);
        };
        setAsked({ deleted, answer });
      }),
    dialog: asked && <OfferDialog {...asked} />,
  };
}

type OfferDialogProps = {
  readonly deleted: Deleted;
  readonly answer: (answer: Answer) => void;
};

function OfferDialog({ deleted: { alias, deletedAt }, answer }: OfferDialogProps) {
  return (
    <Dialog title="Dit nummer is er al eerder geweest" onClose={() => answer('nothing')}>
      <DialogBody>
        <p>
          <strong>{alias}</strong> van deze organisatie had dit nummer, en is verwijderd op{' '}
          {dateAndTime(Date.parse(deletedAt))}.
        </p>
        <p>
          Teruggezet heeft de machine haar geschiedenis, naam en logger van toen. Begin je opnieuw, dan blijft
          die geschiedenis bij de verwijderde machine.
        </p>
        <Button size="md" onClick={() => answer('restore')} data-first>
          Zet terug met geschiedenis
        </Button>
        <Button size="md" variant="default" onClick={() => answer('new')}>
          Begin opnieuw
        </Button>
      </DialogBody>
    </Dialog>
  );
}
