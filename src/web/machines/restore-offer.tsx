import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { dateAndTime } from '#shared/domain/nl.ts';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';

/** One that was deleted, as far as a new one of the same number is concerned. */
type Deleted = {
  readonly alias: string;
  readonly organization: string;
  /** ISO time. */
  readonly deletedAt: string;
  readonly obstacle?: string | undefined;
};

/**
 * The one that had the number of a new one, in the same organization, and can come back; the newest first. Another
 * organization's is nothing to tell of.
 * @param numberOf serial number or loggerid
 */
export const deletedBefore = <D extends Deleted>(
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

type Answer = 'restore' | 'anew' | 'nothing';

type RestoreOffer = {
  /** Whether to bring it back with its history, or to begin anew. */
  readonly ask: (deleted: Deleted) => Promise<Answer>;
  /** To be drawn. */
  readonly dialog: ReactNode;
};

/** Asked when something is made that was there before. */
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
        <Button size="md" variant="default" onClick={() => answer('anew')}>
          Begin opnieuw
        </Button>
      </DialogBody>
    </Dialog>
  );
}
