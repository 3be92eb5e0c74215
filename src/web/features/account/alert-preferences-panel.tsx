import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { AlertPreferences } from '#shared/contract/alerts.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { DEFAULT_QUIET_HOURS } from '#shared/domain/alerts/quiet-hours.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import { failureText } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { useUser } from '#web/session/user.ts';
import { Form } from '#web/ui/form.tsx';
import { FormInput } from '#web/ui/form-input.tsx';
import { FailureAlert, Notice, RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';

/** HTML id of the panel: links in notifications end with '#meldingen'. */
const PANEL = 'meldingen';

/** Panel that sets how the user is notified of alerts, and lists what the user muted. Shown to users who see machines. */
export function AlertPreferencesPanel(): ReactNode {
  return isActionAllowed(useUser(), 'see-machines') ? <Preferences /> : null;
}

function Preferences() {
  const query = useQuery(readQuery('GET /api/alert/preferences'));
  // Scrolls to this panel after loading, when the panels above have their height.
  const isLoaded = query.data !== undefined;
  useEffect(() => {
    if (isLoaded && window.location.hash === `#${PANEL}`) document.getElementById(PANEL)?.scrollIntoView();
  }, [isLoaded]);
  return (
    <Panel title="Hoe je meldingen krijgt" id={PANEL}>
      <RetryAlert query={query} fallback="Hoe je meldingen krijgt is niet geladen." />
      {query.data && (
        <>
          <PreferencesForm stored={query.data} />
          <Mutes mutes={query.data.mutes} />
        </>
      )}
    </Panel>
  );
}

function PreferencesForm({ stored }: { readonly stored: AlertPreferences }) {
  const [byMail, setByMail] = useState(stored.byMail);
  const [byPush, setByPush] = useState(stored.byPush);
  const [isQuiet, setQuiet] = useState(stored.quiet !== null);
  const [hours, setHours] = useState(stored.quiet ?? DEFAULT_QUIET_HOURS);
  const [note, setNote] = useState<string>();
  const { mutateAsync: save } = useChange('POST /api/alert/preferences');
  return (
    <>
      <p>In het portaal staan ze altijd, bij de bel bovenaan.</p>
      <Form
        submit="Bewaar"
        fallback="Dit is niet bewaard. Probeer het opnieuw."
        inputNames={{ 'quiet.from': 'from', 'quiet.to': 'to', quiet: 'from' }}
        onSubmit={async () => {
          setNote(undefined);
          setNote((await save({ body: { byMail, byPush, quiet: isQuiet ? hours : null } })).message);
        }}
      >
        <TickBox
          label="Per mail"
          checked={byMail}
          onChange={({ currentTarget }) => setByMail(currentTarget.checked)}
        />
        <TickBox
          label="Op mijn apparaten"
          checked={byPush}
          onChange={({ currentTarget }) => setByPush(currentTarget.checked)}
        />
        <TickBox
          label="Stille uren: dan alleen wat dringend is"
          checked={isQuiet}
          onChange={({ currentTarget }) => setQuiet(currentTarget.checked)}
        />
        {isQuiet && (
          <>
            <FormInput
              label="Stil van"
              name="from"
              type="time"
              required
              value={hours.from}
              onChange={({ currentTarget }) => setHours({ ...hours, from: currentTarget.value })}
            />
            <FormInput
              label="Stil tot"
              name="to"
              type="time"
              required
              value={hours.to}
              onChange={({ currentTarget }) => setHours({ ...hours, to: currentTarget.value })}
            />
          </>
        )}
        <Notice>{note}</Notice>
      </Form>
    </>
  );
}

function Mutes({ mutes }: Pick<AlertPreferences, 'mutes'>) {
  const ending = useChange('POST /api/alert/unmute');
  const [note, setNote] = useState<string>();
  const end = (_id: number): void => {
    if (ending.isPending) return;
    setNote(undefined);
    ending.mutate({ body: { _id } }, { onSuccess: ({ message }) => setNote(message) });
  };
  return (
    <>
      <h3>Gedempt</h3>
      <Notice>{note}</Notice>
      <FailureAlert>
        {ending.error ? failureText(ending.error, 'Dit is niet gewijzigd. Probeer het opnieuw.') : undefined}
      </FailureAlert>
      {mutes.length === 0 && <p className="quiet">Je hebt niets gedempt.</p>}
      {mutes.length > 0 && (
        <ul className="rows unless-empty" aria-label="Gedempt">
          {mutes.map(({ _id, machine, rule, until }) => (
            <li key={_id}>
              <div>
                {machine ? `Machine ${machine.alias}` : `Regel ‘${rule}’`}
                <div className="quiet">
                  {until === null ? 'Altijd' : `Tot ${dateAndTime(Date.parse(until))}`}
                </div>
              </div>
              <Button
                variant="default"
                size="md"
                aria-label={`Niet meer dempen: ${machine?.alias ?? rule}`}
                onClick={() => end(_id)}
              >
                Niet meer dempen
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
