import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogEntry } from '#shared/contract/log.ts';
import { requestSenderOf } from './principals/calls.ts';
import { organizationMarker, type PlantedOrganization } from './principals/planted.ts';
import { type PlantedPeople, type PlantedPerson, plantPeople, TENANTS } from './principals/planted-people.ts';
import { PERMISSION_ROWS } from './principals/table.ts';
import type { TestWorld } from './principals/tested-noun.ts';
import { openWorld } from './principals/world.ts';

let world: TestWorld;
let people: PlantedPeople;
/** Two people who were in the organization `eigen`: `moved` went to the organization `ander`, and the account of `gone` was deleted. */
let moved: PlantedPerson;
let gone: PlantedPerson;
/** The name that `moved` gets in `ander`. */
const NEW_NAME = 'Naam-ander-verhuisd';
/** An address that has no account when `eigen` invites it, and that later gets an account at `ander`. */
const LATER = 'later@mensen-ander.example';
/** The address of a person who applied at `eigen` and got an account at `ander` before `eigen` decided. */
const APPLICANT = 'aanvrager@mensen-ander.example';

beforeAll(async () => {
  world = await openWorld();
  // Stops the timer that evaluates alerts, because it would resolve the planted alerts.
  await world.a.portal.portal.alerts.close();
  people = await plantPeople(world);
  moved = await people.add('eigen', 'beheerder', 'vertrekker');
  gone = await people.add('eigen', 'gebruiker', 'ontslagen');
  await inviteEachOther();
  await takeAlerts();
  await decideAboutApplicant();
  await changeRoles();
  await leave();
});
afterAll(() => world.close());

const invite = (by: PlantedPerson, email: string, more: object = {}) =>
  by.call('POST /api/invitation/create', { body: { email, role: 'kijker', ...more } });

/** Each tenant invites the people of the other tenants and of `admin`. An administrator invites one new person into each tenant. */
async function inviteEachOther(): Promise<void> {
  for (const label of TENANTS) {
    const by = people.of(label, 'beheerder');
    const strangers = people.all.filter((one) => one.label !== label);
    for (const { email } of strangers) await invite(by, email);
    await invite(people.of('beheer', 'administrator'), `nieuw@mensen-${label}.example`, {
      organization: organizationMarker(label),
    });
    const invitations = (await by.call('GET /api/invitation/get')).json();
    const { _id } = invitations.find((one: { email: string }) => one.email === strangers[0]?.email);
    await by.call('POST /api/invitation/revoke', { body: { _id } });
  }
  await invite(people.of('eigen', 'beheerder'), LATER);
  await world.a.portal.user(LATER, await organizationOf('ander'));
  await invite(moved, 'uitgenodigd-door-vertrekker@nieuw.example');
}

/**
 * An administrator takes charge of an alert of the organization `eigen`. The person who later moves to another organization takes charge of
 * another alert.
 */
async function takeAlerts(): Promise<void> {
  const { alerts } = (await moved.call('GET /api/alert/get', { query: { state: 'firing' } })).json();
  const [first, second] = alerts as { _id: string }[];
  const take = (by: PlantedPerson, alert: unknown) =>
    by.call('POST /api/alert/take', { body: { alert, takes: true } });
  await take(moved, first?._id);
  await take(people.of('beheer', 'administrator'), second?._id);
}

async function decideAboutApplicant(): Promise<void> {
  const { pool, user } = world.a.portal;
  const { rows } = await pool.query<{ id: number }>(
    `insert into applicant (organization_id, email, password_hash) values ($1, $2, 'x') returning id`,
    [await organizationOf('eigen'), APPLICANT],
  );
  await user(APPLICANT, await organizationOf('ander'));
  await people
    .of('eigen', 'beheerder')
    .call('POST /api/applicant/refuse', { body: { _id: rows[0]?.id as number } });
}

/** In each tenant, an administrator and a beheerder each change the role of the gebruiker to kijker and back. */
async function changeRoles(): Promise<void> {
  const give = async (by: PlantedPerson, { email }: PlantedPerson, role: string) =>
    by.call('POST /api/user/role', { body: { email, role } });
  for (const label of TENANTS) {
    for (const by of [people.of('beheer', 'administrator'), people.of(label, 'beheerder')]) {
      const user = people.of(label, 'gebruiker');
      await give(by, user, 'kijker');
      await give(by, user, 'gebruiker');
    }
    await people.of(label, 'gebruiker').signIn();
  }
}

/** Moves the person `moved` from `eigen` to `ander` and changes their name there; deletes the account of `gone`. */
async function leave(): Promise<void> {
  const admin = people.of('beheer', 'administrator');
  await admin.call('POST /api/user/organization', {
    body: { email: moved.email, organization: organizationMarker('ander') },
  });
  await moved.signIn();
  await moved.call('POST /api/account/name', { body: { displayName: NEW_NAME } });
  await people.of('eigen', 'beheerder').call('DELETE /api/user/delete', { query: { email: gone.email } });
}

async function organizationOf(label: PlantedOrganization): Promise<number> {
  const { rows } = await world.a.portal.pool.query('select id from organization where name = $1', [
    organizationMarker(label),
  ]);
  return rows[0].id;
}

type Answered = { readonly name: string; readonly text: string };

/**
 * Returns the answers that a person gets to every GET of the table of permissions, and to the requests for the whole audit log, page by
 * page and as a file.
 */
async function everyAnswer(person: PlantedPerson): Promise<Answered[]> {
  const send = requestSenderOf({ ...world, cookieOf: person.cookie });
  const answers: Answered[] = [];
  const add = (name: string, { headers, rawPayload }: Awaited<ReturnType<typeof send>>): void => {
    answers.push({
      name,
      text: `${JSON.stringify(headers)}\n${rawPayload.toString('latin1')}`.toLowerCase(),
    });
  };
  for (const row of PERMISSION_ROWS.filter(({ route }) => route.startsWith('GET ')))
    add(row.name, await send(row, person.label === 'beheer' ? 'admin' : 'user'));
  if (!['beheerder', 'administrator'].includes(person.role)) return answers;
  let after: string | undefined;
  for (let isEnd = false; !isEnd; ) {
    const page = await person.call('GET /api/log', { query: after === undefined ? {} : { after } });
    add('GET /api/log', page);
    ({ isEnd } = page.json());
    after = page.json().entries.at(-1)?.cursor;
  }
  add('GET /api/log/csv', await person.call('GET /api/log/csv'));
  return answers;
}

const wordsOf = ({ displayName, email, id, address, device }: PlantedPerson): string[] => [
  displayName,
  email,
  String(id),
  address,
  device,
];

/** Returns the names, addresses and other words of people that no answer to this organization may contain. */
function wordsHiddenFrom(label: PlantedOrganization): string[] {
  const others = people.all.filter((one) => one !== moved && one !== gone && one.label !== label);
  // An organization knows the account id, IP address and device of a person who left it, but no longer the name and e-mail address.
  const left =
    label === 'eigen'
      ? [moved.displayName, moved.email, gone.displayName, gone.email]
      : label === 'ander'
        ? wordsOf(gone)
        : [...wordsOf(moved), ...wordsOf(gone)];
  const renamed = label === 'ander' ? [] : [NEW_NAME];
  return [...others.flatMap(wordsOf), ...left, ...renamed].map((word) => word.toLowerCase());
}

/** Calls whose answers show the e-mail addresses that the organization's own people entered in invitations. */
const SHOWS_WHAT_WAS_TYPED = ['GET /api/invitation/get', 'GET /api/account/data'];

/** Returns whether the text contains the word as a whole: '198.51.100.1' does not match within '198.51.100.12'. */
const has = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w.])${word.replaceAll('.', '\\.')}(?![\\w])`).test(text);

test('the answers to an administrator contain every planted name, address, number and device (13.9p)', async () => {
  const text = (await everyAnswer(people.of('beheer', 'administrator'))).map((one) => one.text).join('\n');
  const words = people.all.filter((one) => one !== moved && one !== gone).flatMap(wordsOf);
  expect(words.filter((word) => !has(text, word.toLowerCase()))).toEqual([]);
});

const VIEWERS = [
  ['eigen', 'beheerder'],
  ['eigen', 'gebruiker'],
  ['eigen', 'kijker'],
  ['ander', 'beheerder'],
  ['ander', 'gebruiker'],
  ['ander', 'kijker'],
  ['spoor', 'beheerder'],
  ['spoor', 'gebruiker'],
] as const;

test.each(VIEWERS)(
  'no answer to %s, %s has a name, address, number or device of another organization’s people (13.9p)',
  async (label, role) => {
    const hidden = wordsHiddenFrom(label);
    const found = (await everyAnswer(people.of(label, role))).flatMap(({ name, text }) =>
      hidden
        .filter((word) => has(text, word) && !(word.includes('@') && SHOWS_WHAT_WAS_TYPED.includes(name)))
        .map((word) => `${name}: ${word}`),
    );
    expect([...new Set(found)]).toEqual([]);
  },
);

test.each(TENANTS)(
  'the log of %s has nothing under the number of a person of another organization (13.9p)',
  async (label) => {
    const by = people.of(label, 'beheerder');
    const strangers = people.all.filter((one) => one.label !== label && one.id !== moved.id);
    for (const { id } of strangers) {
      const query = { person: String(id) };
      const { entries } = (await by.call('GET /api/log', { query })).json();
      const file = (await by.call('GET /api/log/csv', { query })).body;
      expect([id, entries, file.trim().split('\n').length]).toEqual([id, [], 1]);
    }
  },
);

test('an audit log entry about an invitation does not reveal whether the invited address has an account (13.9p)', async () => {
  const by = people.of('eigen', 'beheerder');
  const entries: LogEntry[] = (await by.call('GET /api/log', { query: { person: String(by.id) } })).json()
    .entries;
  const invitations = entries.filter(({ action }) => action === 'invitation.create');
  expect(invitations.length).toBeGreaterThan(5);
  expect(new Set(invitations.map(({ at: _, cursor: __, ...row }) => JSON.stringify(row))).size).toBe(1);
  for (const action of ['invitation.revoke', 'user.refuse'])
    expect(entries.find((one) => one.action === action)).not.toHaveProperty('account');
});

test('the log of an organization shows a person who left as a number, and contains none of their later actions (13.9p)', async () => {
  const by = people.of('eigen', 'beheerder');
  for (const [{ id, email }, action] of [
    [moved, 'user.leave'],
    [gone, 'user.delete'],
  ] as const) {
    const query = { person: String(id) };
    const { entries }: { entries: LogEntry[] } = (await by.call('GET /api/log', { query })).json();
    const left = { id, name: `vertrokken account ${id}` };
    expect([email, entries[0]?.action, entries[0]?.account]).toEqual([email, action, left]);
    expect(entries.map(({ who }) => who)).toContainEqual(left);
  }
  const invitations = (await by.call('GET /api/invitation/get')).json() as {
    email: string;
    by: string | null;
  }[];
  const byWhom = (start: string) => invitations.find(({ email }) => email.startsWith(start))?.by;
  expect([byWhom('uitgenodigd-door-vertrekker'), byWhom('nieuw@')]).toEqual([null, 'Beheer van het portaal']);
  const { alerts } = (await by.call('GET /api/alert/get', { query: { state: 'firing' } })).json();
  const takers = alerts.flatMap(({ taken }: { taken: { by: string } | null }) => (taken ? [taken.by] : []));
  expect(takers.sort()).toEqual(['Beheer van het portaal', 'iemand die er niet meer is']);
});

test('the export of one’s own data has no address or device of other people (13.9p)', async () => {
  const own = people.of('eigen', 'gebruiker');
  const text = (await own.call('GET /api/account/data')).body.toLowerCase();
  const others = people.all.filter((one) => one !== own).flatMap(({ address, device }) => [address, device]);
  expect(others.filter((word) => has(text, word.toLowerCase()))).toEqual([]);
  expect([own.address, own.device].filter((word) => !has(text, word.toLowerCase()))).toEqual([]);
  expect(text).toContain('user.role');
});

test('the mail of an invitation by an administrator names the portal’s administration (13.9p)', async () => {
  const mailbox = join(world.a.portal.portal.config.DATA_DIR, 'mail');
  const mailTo = async (address: string): Promise<string | undefined> => {
    const files = await readdir(mailbox).catch(() => []);
    const mails = await Promise.all(files.map((file) => readFile(join(mailbox, file), 'utf8')));
    return mails.find((mail) => mail.includes(`To: ${address}`));
  };
  const to = 'nieuw@mensen-eigen.example';
  await expect.poll(() => mailTo(to), { timeout: 20_000 }).toContain('Beheer van het portaal');
  expect(await mailTo(to)).not.toContain(people.of('beheer', 'administrator').email);
});
