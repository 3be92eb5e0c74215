import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useSetSubscription, useSubscription } from './machine-calls.ts';
import styles from './unsubscribe-question.module.css';

/** In the link of a charging mail (docs/design.md section 8). */
const ASKED_BY = 'afmelden';

/** Who comes from the link in a mail is asked once whether the mails must stop; a reload does not ask again. */
export function UnsubscribeQuestion({
  serial,
  alias,
}: {
  readonly serial: string;
  readonly alias: string;
}): ReactNode {
  const [search, setSearch] = useSearchParams();
  const { data: isSubscribed } = useSubscription(serial);
  const change = useSetSubscription(serial);
  const [note, setNote] = useState<string>();
  const isAsked = search.get(ASKED_BY) === '1';
  const answered = (): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete(ASKED_BY);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <div className={styles.note}>
      <Notice>
        {isAsked && isSubscribed === false && note === undefined
          ? `Je krijgt geen mails over het laden van ${alias}.`
          : note}
      </Notice>
      {isAsked && isSubscribed && (
        <ConfirmDialog
          kind="change"
          question={`Wil je geen mails meer over het laden van ${alias}`}
          fallback="De laadupdate is niet gewijzigd. Probeer het opnieuw."
          onYes={async () => {
            await change.mutateAsync(false);
            setNote(`Je krijgt geen mails meer over het laden van ${alias}.`);
          }}
          onClose={answered}
        >
          <p>Met 'Voor laadupdate' zet je ze op deze pagina weer aan.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
