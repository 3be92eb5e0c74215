import { useState } from 'react';
import type { AccessLimitInput } from '#shared/contract/limits.ts';
import type { User } from '#shared/contract/users.ts';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { accessLimitForRole, LimitFields, limitInputOf } from './limit-fields.tsx';

type LimitDialogProps = {
  readonly user: User;
  /** Stores the limit on what the user sees. If the promise rejects, the dialog shows the error. */
  readonly onLimit: (limit: AccessLimitInput) => Promise<unknown>;
  readonly onClose: () => void;
};

/** Dialog that limits a user to some machines or to the present day. */
export function LimitDialog({ user, onLimit, onClose }: LimitDialogProps) {
  const [limit, setLimit] = useState(() => limitInputOf(user.limit));
  return (
    <Dialog title="Beperk wat iemand ziet" onClose={onClose}>
      <DialogBody>
        <p>
          <strong>{user.email}</strong> van {user.cleanorg}, {user.role}.
        </p>
        <Form
          submit="Bewaar"
          onCancel={onClose}
          fallback="De beperking is niet gewijzigd. Probeer het opnieuw."
          onSubmit={() => onLimit(accessLimitForRole(user.role, limit))}
        >
          <LimitFields organization={user.organization} role={user.role} value={limit} onChange={setLimit} />
          <p>Wie met dit account is ingelogd, moet daarna opnieuw inloggen.</p>
        </Form>
      </DialogBody>
    </Dialog>
  );
}
