/**
 * The subscription to mails about the charging of a machine: its switch, and the dialog that the link in such a mail
 * opens (MDET-07).
 */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { callApi, failureText } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { ConfirmNote } from '#web/session/confirm-note.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { FailureAlert, Notice, RetryAlert } from '#web/ui/notice.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';
import styles from './panels.module.css';

/** Switch 'Voor laadupdate', which shows the value on the server. */
export function SubscriptionSwitch({ serial }: { readonly serial: string }): ReactNode {
  const { data, ...query } = useSubscription(serial);
  const change = useSetSubscription(serial);
  return (
    <div className={`${styles.subscription} beside-end gap-x-3 middle pt-2 line-above`}>
      {data !== undefined && (
        <>
          <span className={`${styles.name} strong`} aria-hidden="true">
            Voor laadupdate
          </span>
          <SwitchButton
            label="Voor laadupdate"
            isOn={data}
            texts={['Aan', 'Uit']}
            isBusy={change.isPending}
            isCalm
            onSwitch={(isOn) => change.mutate(isOn)}
          />
          <p className="quiet">Een e-mail als het laden begint, stopt of klaar is.</p>
          {data && <ConfirmNote />}
        </>
      )}
      <FailureAlert>
        {change.error
          ? failureText(change.error, 'De laadupdate is niet gewijzigd. Probeer het opnieuw.')
          : undefined}
      </FailureAlert>
      <RetryAlert query={query} fallback="De laadupdate is niet geladen." />
    </div>
  );
}

/** Parameter in the link of a charging mail (docs/design.md section 8). */
const UNSUBSCRIBE_PARAMETER = 'afmelden';

/** Dialog that asks a user who followed the link in a mail whether to end the mails. A reload does not ask again. */
export function UnsubscribeDialog({
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
  const isFromMail = search.get(UNSUBSCRIBE_PARAMETER) === '1';
  const answered = (): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete(UNSUBSCRIBE_PARAMETER);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <div className={styles.note}>
      <Notice>
        {isFromMail && isSubscribed === false && note === undefined
          ? `Je krijgt geen mails over het laden van ${alias}.`
          : note}
      </Notice>
      {isFromMail && isSubscribed && (
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

const status = (serialNumber: string) =>
  readQuery('GET /api/mail/subscription-status', { query: { serialNumber } });

/** Queries whether the user gets mails about the charging of the machine (MDET-07). */
const useSubscription = (serial: string) =>
  useQuery({ ...status(serial), select: ({ isSubscribed }) => isSubscribed });

/** Returns the mutation that subscribes the user (true) or unsubscribes the user (false). */
function useSetSubscription(serialNumber: string) {
  const client = useQueryClient();
  const { queryKey } = status(serialNumber);
  return useMutation({
    mutationFn: (isSubscribed: boolean) =>
      callApi(isSubscribed ? 'POST /api/mail/subscribe' : 'POST /api/mail/unsubscribe', {
        body: { serialNumber },
      }),
    onMutate: () => client.cancelQueries({ queryKey }),
    onSuccess: (_, isSubscribed) => client.setQueryData(queryKey, { isSubscribed }),
  });
}
