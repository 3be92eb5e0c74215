import { useState } from 'react';
import type { Organization, RegistrationMode } from '#shared/contract/organizations.ts';
import { useChange } from '#web/queries/use-change.ts';
import { RadioChoice } from '#web/ui/choice.tsx';
import { Form } from '#web/ui/form.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';

const REGISTRATIONS = ['code', 'approval', 'invitation'] as const satisfies readonly RegistrationMode[];
const MODES: Readonly<Record<RegistrationMode, readonly [name: string, about: string]>> = {
  code: [
    'Code',
    'Wie de code heeft en een eigen e-mailadres bevestigt, maakt zelf een account. Beheerders en gebruikers zien de code, kijkers niet.',
  ],
  approval: [
    'Code met goedkeuring',
    'Wie zich met de code registreert, wacht tot een beheerder diegene toelaat. Beheerders en gebruikers zien de code, kijkers niet.',
  ],
  invitation: ['Alleen uitnodiging', 'De code doet niets. Je nodigt mensen uit bij Gebruikers.'],
};

type RegistrationPanelProps = { readonly organization: Organization };

/** Setting for how people register for the organization. */
export function RegistrationPanel({ organization: { name, registration } }: RegistrationPanelProps) {
  const { mutateAsync: set } = useChange('POST /api/organization/registration');
  const [chosen, setChosen] = useState(registration);
  const [note, setNote] = useState<string>();
  const save = async (): Promise<void> => {
    setNote(undefined);
    await set({ body: { name, registration: chosen } });
    setNote(`Opgeslagen: ${MODES[chosen][0].toLowerCase()}.`);
  };
  return (
    <Panel title="Registreren">
      <Notice>{note}</Notice>
      <Form submit="Bewaar" fallback="Het is niet opgeslagen. Probeer het opnieuw." onSubmit={save}>
        <RadioChoice
          label="Hoe komen nieuwe mensen erin?"
          options={REGISTRATIONS.map((value) => ({ value, label: MODES[value][0], about: MODES[value][1] }))}
          value={chosen}
          onChange={setChosen}
        />
      </Form>
    </Panel>
  );
}
