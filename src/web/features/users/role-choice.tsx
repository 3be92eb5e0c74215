import { type Role, rolesIn } from '#shared/domain/access.ts';
import { RadioChoice } from '#web/ui/choice.tsx';

/** Explains the permissions of each role. */
const ROLE_TEXTS: Readonly<Record<Role, string>> = {
  administrator: 'Beheert alles: organisaties, gebruikers, machines en loggers.',
  technicus: 'Beheert machines, loggers en definities van alle organisaties; geen gebruikers.',
  beheerder: 'Beheert de gebruikers van de organisatie en leest haar logboek.',
  gebruiker: 'Werkt met de machines: kaart, grafieken en meldingen.',
  kijker: 'Kijkt mee en verandert niets.',
};

type RoleChoiceProps = {
  /** Functional name of the organization, which determines the roles. */
  readonly organization: string;
  readonly value: Role;
  readonly onChange: (role: Role) => void;
};

/** Radio buttons for the roles of an organization, with their permissions. */
export const RoleChoice = ({ organization, value, onChange }: RoleChoiceProps) => (
  <RadioChoice
    label="Rol"
    options={rolesIn(organization).map((role) => ({ value: role, label: role, about: ROLE_TEXTS[role] }))}
    value={value}
    onChange={onChange}
  />
);
