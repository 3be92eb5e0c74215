import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readQuery } from '#web/queries/read.ts';
import '@mantine/core/styles/Input.css';
import { useState } from 'react';
import type { User } from '#shared/contract/users.ts';
import { ADMIN_ORGANIZATION, defaultRole } from '#shared/domain/access.ts';
import { failureText } from '#web/lib/api.ts';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { FailureAlert } from '#web/ui/notice.tsx';

type MoveDialogProps = {
  readonly user: User;
  /** Moves the account. If the promise rejects, the dialog shows the error. */
  readonly onMove: (organization: string) => Promise<unknown>;
  readonly onClose: () => void;
};

/** A dialog that moves a user to another organization. A move to `admin` makes a second administrator. */
export function MoveDialog({ user, onMove, onClose }: MoveDialogProps) {
  const { data: organizations, error } = useQuery(readQuery('GET /api/organization/get'));
  const [to, setTo] = useState('');
  const others = organizations?.filter(({ name }) => name !== user.organization) ?? [];
  return (
    <Dialog title="Verplaats dit account" onClose={onClose}>
      <DialogBody>
        <p>
          <strong>{user.email}</strong> hoort nu bij {user.cleanorg}.
        </p>
        <FailureAlert>
          {error ? failureText(error, 'De organisaties zijn niet geladen.') : undefined}
        </FailureAlert>
        <Form
          submit="Verplaats"
          onCancel={onClose}
          fallback="Het account is niet verplaatst. Probeer het opnieuw."
          onSubmit={() => onMove(to)}
        >
          <NativeSelect
            label="Naar organisatie"
            required
            withAsterisk={false}
            size="md"
            value={to}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
          >
            <option value="">Kies Een Organisatie</option>
            {others.map(({ name, clean }) => (
              <option key={name} value={name}>
                {clean}
              </option>
            ))}
          </NativeSelect>
          <p>
            {to === ADMIN_ORGANIZATION && (
              <strong>Let op: dit account beheert dan de machines en loggers van alle organisaties. </strong>
            )}
            Het account wordt daar {defaultRole(to)}. Wie met dit account is ingelogd, moet daarna opnieuw
            inloggen.
          </p>
        </Form>
      </DialogBody>
    </Dialog>
  );
}
