import { useState } from 'react';
import type { User } from '#shared/contract/users.ts';
import { ADMIN_ORGANIZATION, type Role } from '#shared/domain/access.ts';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { RoleChoice } from './role-choice.tsx';

type RoleDialogProps = {
  readonly user: User;
  /** Changes the role. If the promise rejects, the dialog shows the error. */
  readonly onGive: (role: Role) => Promise<unknown>;
  readonly onClose: () => void;
};

/** A dialog that gives a user another role of the organization. */
export function RoleDialog({ user, onGive, onClose }: RoleDialogProps) {
  const [role, setRole] = useState(user.role);
  return (
    <Dialog title="Wijzig de rol" onClose={onClose}>
      <DialogBody>
        <p>
          <strong>{user.email}</strong> van {user.cleanorg} is nu {user.role}.
        </p>
        <Form
          submit="Bewaar"
          onCancel={onClose}
          fallback="De rol is niet gewijzigd. Probeer het opnieuw."
          onSubmit={() => onGive(role)}
        >
          <RoleChoice organization={user.organization} value={role} onChange={setRole} />
          <p>
            {user.organization === ADMIN_ORGANIZATION && role === 'administrator' && (
              <strong>Let op: dit account kan dan alles beheren. </strong>
            )}
            Wie met dit account is ingelogd, moet daarna opnieuw inloggen.
          </p>
        </Form>
      </DialogBody>
    </Dialog>
  );
}
