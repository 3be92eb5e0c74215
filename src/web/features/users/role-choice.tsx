import { type Role, rolesIn } from '#shared/domain/access.ts';
import { Choice } from '#web/ui/choice.tsx';

/** What the roles may, for who gives them. */
const ROLE_WORDS: Readonly<Record<Role, string>> = {
  administrator: 'Beheert alles: organisaties, gebruikers, machines en loggers.',
  technicus: 'Beheert machines, loggers en definities van alle organisaties; geen gebruikers.',
  beheerder: 'Beheert de gebruikers van de organisatie en leest haar logboek.',
  gebruiker: 'Werkt met de machines: kaart, grafieken en meldingen.',
  kijker: 'Kijkt mee en verandert niets.',
};

type RoleChoiceProps = {
  /** Functional name: it decides which roles there are. */
  readonly organization: string;
  readonly value: Role;
  readonly onChange: (role: Role) => void;
};

/** One of the roles of an organization, each with what it may. */
export const RoleChoice = ({ organization, value, onChange }: RoleChoiceProps) => (
  <Choice
    label="Rol"
    options={rolesIn(organization).map((role) => ({ value: role, label: role, about: ROLE_WORDS[role] }))}
    value={value}
    onChange={onChange}
  />
);
