import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { MAIL_RHYTHM_LABELS, RHYTHMS, type Rhythm } from '#shared/domain/reports/mail-rhythm.ts';
import { failureText } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { ConfirmNote } from '#web/session/confirm-note.tsx';
import { FailureAlert, Notice, RetryAlert } from '#web/ui/notice.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';
import { type ChosenReport, matchesChoice } from './chosen-report.ts';
import styles from './report-mails.module.css';

/** Switches for receiving the chosen report by mail every week and every month. */
export function ReportMailSwitches({ chosen }: { readonly chosen: ChosenReport }): ReactNode {
  const query = useQuery(readQuery('GET /api/report-mail/get'));
  const beginning = useChange('POST /api/report-mail/subscribe');
  const ending = useChange('POST /api/report-mail/unsubscribe');
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
    if (isOn) beginning.mutate({ body: { ...wantedOf(chosen), rhythm } }, showAnswer);
    else if (mail) ending.mutate({ body: { _id: mail._id } }, showAnswer);
  };
  return (
    <div className={`${styles.mails} stack gap-2`}>
      {query.data && (
        <>
          <div className="cluster gap-2-6 stretch">
            {RHYTHMS.map((rhythm) => (
              <div key={rhythm} className="row gap-3">
                <span aria-hidden="true">{MAIL_RHYTHM_LABELS[rhythm]}</span>
                <SwitchButton
                  label={MAIL_RHYTHM_LABELS[rhythm]}
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

/** Returns the report in the format of the call: null for no limit. */
const wantedOf = ({ projects, machines, labels, ...report }: ChosenReport) => ({
  ...report,
  projects: projects.length > 0 ? [...projects] : null,
  machines: machines.length > 0 ? [...machines] : null,
  labels: labels.length > 0 ? [...labels] : null,
});
