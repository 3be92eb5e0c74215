import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecondFactorRule } from '#shared/contract/factors.ts';
import type { Organization } from '#shared/contract/organizations.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { callApi, failureText } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { revalidateSession } from '#web/session/session.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { FailureAlert, RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';

/** Switch that makes a second factor obligatory for everyone in the organization. */
export function FactorPanel({ organization: { name } }: { readonly organization: Organization }) {
  const client = useQueryClient();
  const stored = readQuery('GET /api/organization/second-factor', { query: { name } });
  const query = useQuery(stored);
  const change = useMutation({
    mutationFn: (isRequired: boolean) =>
      callApi('POST /api/organization/second-factor', { body: { name, isRequired } }),
    onSuccess: (rule) => {
      client.setQueryData(stored.queryKey, rule);
      // Validates the session again, because a user without a second factor must now set one up first.
      return revalidateSession(client);
    },
  });
  const [isAsking, setAsking] = useState(false);
  const rule = query.data;

  return (
    <Panel title="Tweede stap bij inloggen">
      <RetryAlert query={query} fallback="Deze instelling is niet geladen." />
      {rule && (
        <>
          <p>{sentenceOf(rule)}</p>
          {!rule.byOperator && (
            <div>
              <SwitchButton
                label="Tweede stap verplicht"
                isOn={rule.isRequired}
                texts={['Verplicht', 'Niet verplicht']}
                isCalm
                isBusy={change.isPending}
                onSwitch={(isOn) => {
                  change.reset();
                  if (isOn) setAsking(true);
                  else change.mutate(false);
                }}
              />
            </div>
          )}
          <FailureAlert>
            {change.error && !isAsking ? failureText(change.error, 'Dit is niet gewijzigd.') : undefined}
          </FailureAlert>
        </>
      )}
      {isAsking && rule && (
        <ConfirmDialog
          kind="change"
          question="Weet je zeker dat je de tweede stap wilt verplichten"
          onYes={() => change.mutateAsync(true)}
          onClose={() => setAsking(false)}
          fallback="Dit is niet gewijzigd. Probeer het opnieuw."
        >
          <p>
            {rule.without === 0
              ? 'Iedereen heeft er al een.'
              : `${peopleOf(rule.without)} zonder tweede stap ${rule.without === 1 ? 'moet' : 'moeten'} die meteen instellen, ook wie nu is ingelogd.`}
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

const peopleOf = (count: number): string => (count === 1 ? '1 persoon' : `${formatNumber(count)} personen`);

function sentenceOf({ byOperator, people, without }: SecondFactorRule): string {
  const have = `${people - without} van ${peopleOf(people)} ${people - without === 1 ? 'heeft' : 'hebben'} een tweede stap.`;
  return byOperator
    ? `Op dit portaal is een tweede stap hier voor iedereen verplicht. ${have}`
    : `Met een tweede stap (een passkey of een authenticator-app) is alleen een wachtwoord niet genoeg om in te loggen. ${have}`;
}
