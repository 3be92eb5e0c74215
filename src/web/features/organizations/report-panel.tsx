import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { callApi, failureText } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { TextLink } from '#web/ui/link.tsx';
import { FailureAlert, RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';

/** Setting for whether mailed reports have a file attached, and a link to the factors with which reports compute CO2 and diesel. */
export function ReportPanel({ name }: { readonly name: string }) {
  const client = useQueryClient();
  const stored = readQuery('GET /api/organization/report-files', { query: { name } });
  const query = useQuery(stored);
  const change = useMutation({
    mutationFn: (mailsReportFiles: boolean) =>
      callApi('POST /api/organization/report-files', { body: { name, mailsReportFiles } }),
    onSuccess: (setting) => client.setQueryData(stored.queryKey, setting),
  });
  return (
    <Panel title="Rapporten">
      <RetryAlert query={query} fallback="Deze instelling is niet geladen." />
      {query.data && (
        <>
          <p>
            Wie een rapport elke week of maand per mail krijgt, krijgt een link waarvoor je moet inloggen. Zet
            dit aan om het Excel-bestand mee te sturen, aan wie rapporten mag maken en tot 5 MB.
          </p>
          <div>
            <SwitchButton
              label={FIELD_TEXTS.mailsReportFiles}
              isOn={query.data.mailsReportFiles}
              texts={['Met het bestand', 'Alleen de link']}
              isCalm
              isBusy={change.isPending}
              onSwitch={(isOn) => change.mutate(isOn)}
            />
          </div>
          <FailureAlert>
            {change.error ? failureText(change.error, 'Dit is niet gewijzigd.') : undefined}
          </FailureAlert>
        </>
      )}
      <p>
        <TextLink to="/rapporten/factoren">Factoren voor CO2 en diesel</TextLink>
      </p>
    </Panel>
  );
}
