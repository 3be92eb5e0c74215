import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callApi } from '#web/lib/api.ts';
import { ConfirmNote } from '#web/session/confirm-note.tsx';
import { setSessionUserName } from '#web/session/session.ts';
import { useUser } from '#web/session/user.ts';
import { WrappingEmailAddress } from '#web/ui/address.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormInput } from '#web/ui/form-input.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';

/** Panel that shows the signed-in account and changes the user's name. */
export function IdentityPanel(): ReactNode {
  const { email, name, organizationName, role } = useUser();
  const client = useQueryClient();
  const [note, setNote] = useState<string>();
  return (
    <Panel title="Wie je bent">
      <dl className="beside gap-2-4">
        <dt>E-mailadres</dt>
        <dd>
          <WrappingEmailAddress email={email} />
        </dd>
        <dt>Organisatie</dt>
        <dd>{organizationName}</dd>
        <dt>Rol</dt>
        <dd>{role}</dd>
      </dl>
      <ConfirmNote />
      <Notice>{note}</Notice>
      <Form
        submit="Bewaar naam"
        fallback="Je naam is niet bewaard. Probeer het opnieuw."
        onSubmit={async (fields) => {
          setNote(undefined);
          const body = { displayName: String(fields.get('displayName')) };
          const { name: renamed, message } = await callApi('POST /api/account/name', { body });
          setSessionUserName(client, renamed ?? undefined);
          setNote(message);
        }}
      >
        <FormInput
          key={name}
          label="Naam"
          name="displayName"
          description="Hoeft niet. Anderen zien hem in plaats van je e-mailadres."
          defaultValue={name ?? ''}
          autoComplete="name"
          maxLength={60}
        />
      </Form>
    </Panel>
  );
}
