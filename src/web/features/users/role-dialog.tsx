import { Button, Radio, Stack } from '@mantine/core';
import '@mantine/core/styles/Radio.css';
import { useState } from 'react';
import type { User } from '#shared/contract/users.ts';
import { ADMIN_ORGANIZATION, type Role, rolesIn } from '#shared/domain/access.ts';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';

/** What the roles may, for who gives them. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  administrator: 'Beheert alles: organisaties, gebruikers, machines en loggers.',
  technicus: 'Beheert machines, loggers en definities van alle organisaties; geen gebruikers.',
  beheerder: 'Beheert de gebruikers van de organisatie en leest haar logboek.',
  gebruiker: 'Werkt met de machines: kaart, grafieken en meldingen.',
  kijker: 'Kijkt mee en verandert niets.',
};

type RoleDialogProps = {
  readonly user: User;
  /** Gives it; its rejection is shown here. */
  readonly onGive: (role: Role) => Promise<unknown>;
  readonly onClose: () => void;
};

/** Another role for a user, of those that their organization has. */
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
          fallback="De rol is niet gewijzigd. Probeer het opnieuw."
          onSubmit={() => onGive(role)}
        >
          <Radio.Group label="Rol" value={role} onChange={(value) => setRole(value as Role)}>
            <Stack gap="sm" mt="xs">
              {rolesIn(user.organization).map((one) => (
                <Radio key={one} value={one} label={one} description={ROLE_WORDS[one]} size="md" />
              ))}
            </Stack>
          </Radio.Group>
          <p>
            {user.organization === ADMIN_ORGANIZATION && role === 'administrator' && (
              <strong>Let op: dit account kan dan alles beheren. </strong>
            )}
            Wie met dit account is ingelogd, moet daarna opnieuw inloggen.
          </p>
        </Form>
        <Button variant="default" size="md" fullWidth onClick={onClose}>
          Annuleren
        </Button>
      </DialogBody>
    </Dialog>
  );
}
