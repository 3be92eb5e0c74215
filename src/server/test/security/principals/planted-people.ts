import type { LightMyRequestResponse } from 'fastify';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { PASSWORD } from '#server/test/portal.ts';
import type { Role } from '#shared/domain/access.ts';
import { organizationMarker, type PlantedOrganization, requireSuccess } from './planted.ts';
import type { TestWorld } from './tested-noun.ts';

/** A planted person of one organization. The person's texts are unique, so that no answer contains them by chance. */
export type PlantedPerson = {
  readonly label: PlantedOrganization;
  readonly role: Role;
  readonly email: string;
  readonly displayName: string;
  readonly id: number;
  /** IP address and device with which the person signs in and calls. */
  readonly address: string;
  readonly device: string;
  /** Signs in again, because a change of role ends the session. */
  signIn(): Promise<void>;
  cookie(): string;
  /** Calls the portal; throws unless the answer is 200. */
  call(
    key: string,
    asked?: { body?: object; query?: Record<string, string> },
  ): Promise<LightMyRequestResponse>;
};

/**
 * First id of planted accounts. No number, time or position in the test data is near it, so an answer cannot contain such an id by chance.
 */
const FIRST_ID = 1_600_000_001;

export const TENANTS = ['eigen', 'ander', 'spoor'] as const satisfies readonly PlantedOrganization[];
const ROLES_OF: Readonly<Partial<Record<PlantedOrganization, readonly Role[]>>> = {
  eigen: ['beheerder', 'gebruiker', 'kijker'],
  ander: ['beheerder', 'gebruiker', 'kijker'],
  spoor: ['beheerder', 'gebruiker'],
  beheer: ['administrator', 'technicus'],
};

export type PlantedPeople = {
  readonly all: readonly PlantedPerson[];
  of(label: PlantedOrganization, role: Role): PlantedPerson;
  /** Adds a person. @param who a word for what will happen to the person, which becomes part of the name */
  add(label: PlantedOrganization, role: Role, who: string): Promise<PlantedPerson>;
};

/** Creates one signed-in person of each role in every tenant and in `admin`. */
export async function plantPeople(world: TestWorld): Promise<PlantedPeople> {
  const { pool } = world.a.portal;
  await pool.query(`select setval(pg_get_serial_sequence('account', 'id'), $1, false)`, [FIRST_ID]);
  const all: PlantedPerson[] = [];
  async function add(label: PlantedOrganization, role: Role, who: string): Promise<PlantedPerson> {
    const person = await plantPerson(world, label, role, who, all.length + 1);
    all.push(person);
    return person;
  }
  for (const [label, roles] of Object.entries(ROLES_OF) as [PlantedOrganization, readonly Role[]][])
    for (const role of roles) await add(label, role, role);
  return {
    all,
    add,
    of: (label, role) => all.find((one) => one.label === label && one.role === role) as PlantedPerson,
  };
}

async function plantPerson(
  world: TestWorld,
  label: PlantedOrganization,
  role: Role,
  who: string,
  n: number,
): Promise<PlantedPerson> {
  const { portal } = world.a;
  const email = `${who}@mensen-${label}.example`;
  const displayName = `Naam-${label}-${who}`;
  const address = `198.51.100.${n}`;
  const device = `Toestel-${label}-${who}`;
  const organization = label === 'beheer' ? 'admin' : organizationMarker(label);
  const { rows: organizations } = await portal.pool.query('select id from organization where name = $1', [
    organization,
  ]);
  await portal.user(email, organizations[0].id, role);
  const { rows } = await portal.pool.query<{ id: number }>(
    'update account set name = $2 where email = $1 returning id',
    [email, displayName],
  );
  let cookie = '';
  const send = (key: string, { body, query }: { body?: object; query?: Record<string, string> } = {}) => {
    const [method, path] = key.split(' ') as ['POST', string];
    return world.watched.app.inject({
      method,
      url: query ? `${path}?${new URLSearchParams(query)}` : path,
      ...(body && { payload: body }),
      headers: { ...SCRIPT_HEADERS, 'user-agent': device, ...(cookie && { cookie }) },
      remoteAddress: address,
    });
  };
  const call = async (...asked: Parameters<typeof send>): Promise<LightMyRequestResponse> => {
    const answer = await send(...asked);
    await requireSuccess(Promise.resolve({ status: answer.statusCode, text: `${asked[0]} ${answer.body}` }));
    return answer;
  };
  async function signIn(): Promise<void> {
    cookie = '';
    await portal.pool.query('delete from rate_limit');
    const answer = await call('POST /api/auth/login', { body: { email, password: PASSWORD } });
    cookie = String(answer.headers['set-cookie']).split(';', 1)[0] as string;
  }
  await signIn();
  const id = rows[0]?.id as number;
  return { label, role, email, displayName, id, address, device, signIn, call, cookie: () => cookie };
}
