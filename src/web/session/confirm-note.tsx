import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callApi, failureText } from '#web/lib/api.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { FailureAlert, Notice } from '#web/ui/notice.tsx';
import styles from './confirm-note.module.css';
import { useUser } from './user.ts';

/** Shows 'Bevestig je adres' with a button for another mail; nothing once the address is confirmed. */
export function ConfirmNote(): ReactNode {
  const { email, isConfirmed, mustConfirm, hasNoMailServer } = useUser();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => callApi('POST /api/auth/confirm-address/send'),
  });
  if (isConfirmed) return null;
  return (
    <div className={styles.note}>
      <p>
        <strong>Bevestig je adres.</strong> {mustConfirm ? 'Het portaal opent' : 'Mail over machines komt'}{' '}
        {hasNoMailServer
          ? 'pas daarna. Dit portaal verstuurt geen mail: vraag je beheerder om de link.'
          : `pas als je op de link hebt geklikt die we naar ${email} stuurden.`}
      </p>
      {!hasNoMailServer && (
        <BusyButton variant="default" isBusy={isPending} onClick={() => isPending || mutate()}>
          Stuur opnieuw
        </BusyButton>
      )}
      <Notice>{data?.message}</Notice>
      <FailureAlert>
        {error ? failureText(error, 'De mail is niet verstuurd. Probeer het opnieuw.') : undefined}
      </FailureAlert>
    </div>
  );
}
