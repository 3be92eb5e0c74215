import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { ReportSubscription } from '#shared/contract/report-mails.ts';
import { may } from '#shared/domain/access.ts';
import { REPORTS } from '#shared/domain/reports/kinds.ts';
import { RHYTHM_TEXTS } from '#shared/domain/reports/mail-rhythm.ts';
import { failureText } from '#web/lib/api.ts';
import { useReportMails, useUnsubscribe } from '#web/report-mails/report-mail-calls.ts';
import { useUser } from '#web/session/user.ts';
import { TextLink } from '#web/ui/link.tsx';
import { FailureAlert, Notice, RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import styles from './account-page.module.css';

/** In the link of a mail. */
const PANEL = 'rapporten';

/** The reports that somebody gets by mail; where a mail's link leads that ends them. For who has reports at all. */
export function ReportMailsPanel(): ReactNode {
  return may(useUser(), 'see-machines') ? <ReportMails /> : null;
}

function ReportMails() {
  const query = useReportMails();
  const ending = useUnsubscribe();
  const [note, setNote] = useState<string>();
  // From the link in a mail: what stands above is all there by then.
  const isPortalUp = query.data !== undefined;
  useEffect(() => {
    if (isPortalUp && window.location.hash === `#${PANEL}`) document.getElementById(PANEL)?.scrollIntoView();
  }, [isPortalUp]);
  const end = ({ _id }: ReportSubscription): void => {
    if (ending.isPending) return;
    setNote(undefined);
    ending.mutate(_id, { onSuccess: ({ message }) => setNote(message) });
  };
  return (
    <Panel title="Mijn rapporten per mail" id={PANEL}>
      <Notice>{note}</Notice>
      <FailureAlert>
        {ending.error ? failureText(ending.error, 'Dit is niet gewijzigd. Probeer het opnieuw.') : undefined}
      </FailureAlert>
      <RetryAlert query={query} fallback="Je rapporten per mail zijn niet geladen." />
      {query.data?.length === 0 && (
        <p className={styles.quiet}>
          Je krijgt geen rapport per mail. Op de pagina van een rapport zet je dat aan.
        </p>
      )}
      {query.data !== undefined && query.data.length > 0 && (
        <ul className={styles.rows} aria-label="Rapporten per mail">
          {query.data.map((mail) => (
            <li key={mail._id}>
              <div>
                <TextLink to={`/rapporten/${mail.report}`}>{REPORTS[mail.report].title}</TextLink>
                <div className={styles.quiet}>
                  {[RHYTHM_TEXTS[mail.rhythm], ...limitsOf(mail)].join(' · ')}
                </div>
              </div>
              <Button
                variant="default"
                size="md"
                aria-label={`Zet uit: ${REPORTS[mail.report].title}, ${[RHYTHM_TEXTS[mail.rhythm], ...limitsOf(mail)].join(', ')}`}
                onClick={() => end(mail)}
              >
                Zet uit
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** What it is limited to, in words. */
const limitsOf = ({ projects, machines, labels }: ReportSubscription): string[] => [
  ...(projects
    ? [
        named(
          projects.map(({ projectName }) => projectName),
          'projecten',
        ),
      ]
    : []),
  ...(machines
    ? [
        named(
          machines.map(({ alias }) => alias),
          'machines',
        ),
      ]
    : []),
  ...(labels
    ? [
        named(
          labels.map(({ labelName }) => labelName),
          'labels',
        ),
      ]
    : []),
];

function named(names: readonly string[], plural: string): string {
  if (names.length === 0) return `${plural} die er niet meer zijn`;
  return names.length > 3 ? `${names.length} ${plural}` : names.join(', ');
}
