/** The organizations and users of the demo. All names are invented; the passwords are public on purpose. */
import type { Role } from '#shared/domain/access.ts';

export type DemoOrganization = {
  /** Functional name, a lowercase slug. */
  readonly name: string;
  /** Display name. */
  readonly clean: string;
  /** Whether the organization is an LMB customer: a customer with LMB loggers instead of machines. */
  readonly isLmbCustomer: boolean;
};

export type DemoUser = {
  readonly email: string;
  readonly password: string;
  readonly organization: string;
  readonly role: Role;
};

/** The organization with the machines of the demo. */
export const FLEET_OWNER = 'kievitsland-infra';
/** The organization with the LMB loggers of the demo. */
export const LMB_OWNER = 'railvonk';

export const demoOrganizations: readonly DemoOrganization[] = [
  { name: 'admin', clean: 'Werkstroom beheer', isLmbCustomer: false },
  { name: FLEET_OWNER, clean: 'Kievitsland Infra', isLmbCustomer: false },
  { name: LMB_OWNER, clean: 'Railvonk Spooronderhoud', isLmbCustomer: true },
];

export const demoUsers: readonly DemoUser[] = [
  {
    email: 'admin@demo.werkstroom.nl',
    password: 'demo-beheer-werkstroom',
    organization: 'admin',
    role: 'administrator',
  },
  {
    email: 'planner@demo.werkstroom.nl',
    password: 'demo-planner-werkstroom',
    organization: FLEET_OWNER,
    role: 'beheerder',
  },
  {
    email: 'spoor@demo.werkstroom.nl',
    password: 'demo-spoor-werkstroom',
    organization: LMB_OWNER,
    role: 'beheerder',
  },
];
