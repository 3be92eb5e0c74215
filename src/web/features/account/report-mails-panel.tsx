import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { ReportSubscription } from '#shared/contract/report-mails.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { REPORTS } from '#shared/domain/reports/kinds.ts';
import { MAIL_RHYTHM_LABELS } from '#shared/domain/reports/mail-rhythm.ts';
import { failureText } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { useUser } from '#web/session/user.ts';
import { TextLink } from '#web/ui/link.tsx';
import { FailureAlert, Notice, RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';

/** HTML id of the panel: links in report mails end with '#rapporten'. */
const PANEL = 'rapporten';

/** Panel that lists the reports that the user gets by mail, and ends these mails. Shown to users who may see reports. */
export function ReportMailsPanel(): ReactNode {
  return isActionAllowed(useUser(), 'see-machines') ? <ReportMails /> : null;
}

function ReportMails() {
  const query = useQuery(readQuery('GET /api/report-mail/get'));
  const ending = useChange('POST /api/report-mail/unsubscribe');
  const [note, setNote] = useState<string>();
  // Scrolls to this panel after loading, when the panels above have their height.
  const isLoaded = query.data !== undefined;
  useEffect(() => {
    if (isLoaded && window.location.hash === `#${PANEL}`) document.getElementById(PANEL)?.scrollIntoView();
  }, [isLoaded]);
  const end = ({ _id }: ReportSubscription): void => {
    if (ending.isPending) return;
    setNote(undefined);
    ending.mutate({ body: { _id } }, { onSuccess: ({ message }) => setNote(message) });
  };
  return (
    <Panel title="Mijn rapporten per mail" id={PANEL}>
      <Notice>{note}</Notice>
      <FailureAlert>
        {ending.error ? failureText(ending.error, 'Dit is niet gewijzigd. Probeer het opnieuw.') : undefined}
      </FailureAlert>
      <RetryAlert query={query} fallback="Je rapporten per mail zijn niet geladen." />
      {query.data?.length === 0 && (
        <p className="quiet">Je krijgt geen rapport per mail. Op de pagina van een rapport zet je dat aan.</p>
      )}
      {query.data !== undefined && query.data.length > 0 && (
        <ul className="rows unless-empty" aria-label="Rapporten per mail">
          {query.data.map((mail) => (
            <li key={mail._id}>
              <div>
                <TextLink to={`/rapporten/${mail.report}`}>{REPORTS[mail.report].title}</TextLink>
                <div className="quiet">
                  {[MAIL_RHYTHM_LABELS[mail.rhythm], ...limitTexts(mail)].join(' · ')}
                </div>
              </div>
              <Button
                variant="default"
                size="md"
                aria-label={`Zet uit: ${REPORTS[mail.report].title}, ${[MAIL_RHYTHM_LABELS[mail.rhythm], ...limitTexts(mail)].join(', ')}`}
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

/** Returns the texts of the projects, machines and labels to which the report is limited. */
const limitTexts = ({ projects, machines, labels }: ReportSubscription): string[] => [
  ...(projects
    ? [
        namesText(
          projects.map(({ projectName }) => projectName),
          'projecten',
        ),
      ]
    : []),
  ...(machines
    ? [
        namesText(
          machines.map(({ alias }) => alias),
          'machines',
        ),
      ]
    : []),
  ...(labels
    ? [
        namesText(
          labels.map(({ labelName }) => labelName),
          'labels',
        ),
      ]
    : []),
];

function namesText(names: readonly string[], plural: string): string {
  if (names.length === 0) return `${plural} die er niet meer zijn`;
  return names.length > 3 ? `${names.length} ${plural}` : names.join(', ');
}
