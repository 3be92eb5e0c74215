import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readQuery } from '#web/queries/read.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import '@mantine/core/styles/Input.css';
import { useState } from 'react';
import type { AccessLimitInput } from '#shared/contract/limits.ts';
import { isActionAllowed, type Role, rolesIn } from '#shared/domain/access.ts';
import { useUser } from '#web/session/user.ts';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormInput } from '#web/ui/form-input.tsx';
import { accessLimitForRole, canHaveLimit, LimitFields } from './limit-fields.tsx';
import { RoleChoice } from './role-choice.tsx';

type InviteDialogProps = {
  /** Called once the invitation is created; `link`: set if the user must hand it over. */
  readonly onInvited: (email: string, link: string | undefined) => void;
  readonly onClose: () => void;
};

/** A dialog that invites a person: address, role, and for an administrator the organization. */
export function InviteDialog({ onInvited, onClose }: InviteDialogProps) {
  const self = useUser();
  const chooses = isActionAllowed(self, 'manage-organizations');
  const [organization, setOrganization] = useState(chooses ? '' : self.organization);
  const [role, setRole] = useState<Role>('gebruiker');
  const [limit, setLimit] = useState<AccessLimitInput>(null);
  const send = useSendChange();
  const { data: destinations = [] } = useQuery({
    ...readQuery('GET /api/organization/get'),
    enabled: chooses,
  });
  const isLmb =
    self.isLmbCustomer || destinations.some(({ name, isBerende }) => name === organization && isBerende);
  const enter = (name: string): void => {
    setOrganization(name);
    setLimit(null);
    if (!rolesIn(name).includes(role)) setRole(name === '' ? 'gebruiker' : (rolesIn(name).at(-1) as Role));
  };
  const invite = async (fields: FormData): Promise<void> => {
    const email = String(fields.get('email')).trim();
    const body = { email, role, organization, limit: accessLimitForRole(role, limit) };
    const { link } = await send('POST /api/invitation/create', { body });
    onInvited(email, link);
  };
  return (
    <Dialog title="Nodig iemand uit" onClose={onClose}>
      <DialogBody>
        <p>Diegene krijgt een link, kiest een wachtwoord en kan meteen beginnen.</p>
        <Form
          submit="Nodig uit"
          fallback="De uitnodiging is niet gemaakt. Probeer het opnieuw."
          onSubmit={invite}
          onCancel={onClose}
        >
          <FormInput
            label="E-mailadres"
            name="email"
            type="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={254}
          />
          {chooses && <OrganizationSelect value={organization} onChange={enter} />}
          {organization !== '' && <RoleChoice organization={organization} value={role} onChange={setRole} />}
          {organization !== '' && !isLmb && canHaveLimit(organization, role) && (
            <LimitFields organization={organization} role={role} value={limit} onChange={setLimit} />
          )}
        </Form>
      </DialogBody>
    </Dialog>
  );
}

type OrganizationSelectProps = { readonly value: string; readonly onChange: (name: string) => void };

function OrganizationSelect({ value, onChange }: OrganizationSelectProps) {
  const { data: organizations = [] } = useQuery(readQuery('GET /api/organization/get'));
  return (
    <NativeSelect
      label="Organisatie"
      required
      withAsterisk={false}
      size="md"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      <option value="">Kies Een Organisatie</option>
      {organizations
        .filter(({ isActive }) => isActive)
        .map(({ name, clean }) => (
          <option key={name} value={name}>
            {clean}
          </option>
        ))}
    </NativeSelect>
  );
}
