import { type ReactNode, useState } from 'react';
import { RHYTHM_TEXTS, RHYTHMS, type Rhythm } from '#shared/domain/reports/mail-rhythm.ts';
import { failureText } from '#web/lib/api.ts';
import { ConfirmNote } from '#web/session/confirm-note.tsx';
import { FailureAlert, Notice, RetryAlert } from '#web/ui/notice.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';
import {
  type ChosenReport,
  matchesChoice,
  useReportMails,
  useSubscribe,
  useUnsubscribe,
} from './report-mail-calls.ts';
import styles from './report-mails.module.css';

/** Switches for receiving the chosen report by mail every week and every month. */
export function ReportMailSwitches({ chosen }: { readonly chosen: ChosenReport }): ReactNode {
  const query = useReportMails();
  const beginning = useSubscribe();
  const ending = useUnsubscribe();
  const [note, setNote] = useState<string>();
  const isBusy = beginning.isPending || ending.isPending || query.isFetching;
  const error = beginning.error ?? ending.error;
  const present = (rhythm: Rhythm) =>
    query.data?.find((mail) => mail.rhythm === rhythm && matchesChoice(mail, chosen));
  const set = (rhythm: Rhythm, isOn: boolean): void => {
    const showAnswer = { onSuccess: ({ message }: { message: string }) => setNote(message) };
    setNote(undefined);
    beginning.reset();
    ending.reset();
    const mail = present(rhythm);
    if (isOn) beginning.mutate({ ...chosen, rhythm }, showAnswer);
    else if (mail) ending.mutate(mail._id, showAnswer);
  };
  return (
    <div className={styles.mails}>
      {query.data && (
        <>
          <div className={styles.switches}>
            {RHYTHMS.map((rhythm) => (
              <div key={rhythm} className={styles.switch}>
                <span aria-hidden="true">{RHYTHM_TEXTS[rhythm]}</span>
                <SwitchButton
                  label={RHYTHM_TEXTS[rhythm]}
                  isOn={present(rhythm) !== undefined}
                  texts={['Aan', 'Uit']}
                  isBusy={isBusy}
                  isCalm
                  onSwitch={(isOn) => set(rhythm, isOn)}
                />
              </div>
            ))}
          </div>
          {RHYTHMS.some(present) && <ConfirmNote />}
        </>
      )}
      <Notice>{note}</Notice>
      <FailureAlert>
        {error ? failureText(error, 'Dit is niet gewijzigd. Probeer het opnieuw.') : undefined}
      </FailureAlert>
      <RetryAlert query={query} fallback="Wat je per mail krijgt is niet geladen." />
    </div>
  );
}
