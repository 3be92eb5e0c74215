import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import type { ContactOwner, ContactVisibilityRole } from '#shared/domain/contacts.ts';

let a: AdminTestPortal;
let manager: string;
let user: string;
let viewer: string;
let other: string;
let number = 0;
let machine: { streamId: number; serial: string };
beforeAll(async () => {
  a = await AdminTestPortal.open();
  const otherId = await a.portal.organization('ander');
  await a.portal.user('baas@klant.nl', a.fleet.organization, 'beheerder');
  await a.portal.user('piet@klant.nl', a.fleet.organization);
  await a.portal.user('kijk@klant.nl', a.fleet.organization, 'kijker');
  await a.portal.user('baas@ander.nl', otherId, 'beheerder');
  manager = await a.portal.login('baas@klant.nl');
  user = await a.portal.login('piet@klant.nl');
  viewer = await a.portal.login('kijk@klant.nl');
  other = await a.portal.login('baas@ander.nl');
});
afterAll(() => a.close());
beforeEach(async () => {
  for (const table of ['contact', 'assignment', 'audit']) await a.portal.pool.query(`delete from ${table}`);
  number += 1;
  const serial = `KR-${number}`;
  machine = { serial, streamId: await a.portal.machine(a.fleet.organization, { serial, batteries: [] }) };
});

const save = (part: object = {}, as = manager, name = 'klant') =>
  a.call('POST /api/contact/save', {
    as,
    body: {
      name,
      contactName: 'Jan de Vries',
      telephone: '06-12345678',
      contactNote: '',
      seenFrom: 'kijker',
      ...part,
    },
  });
const contact = async (contactName: string, seenFrom: ContactVisibilityRole = 'kijker'): Promise<number> =>
  (await save({ contactName, seenFrom })).json._id;
const use = (by: ContactOwner, target: string, to: number | null, as = manager, name = 'klant') =>
  a.call('POST /api/contact/use', { as, body: { name, by, target, contact: to } });
const nearest = async (as = manager) =>
  (await a.call('GET /api/contact/nearest', { as, query: { serial: machine.serial } })).json.contact;
const nameOf = async (as = manager): Promise<string | undefined> => (await nearest(as))?.contactName;
const list = async (as = manager) =>
  (await a.call('GET /api/contact/get', { as, query: { name: 'klant' } })).json;
const project = async (): Promise<string> => {
  const { rows } = await a.portal.pool.query(
    `insert into project (organization_id, name, first_day) values ($1, 'Sluis', '2020-01-01') returning id`,
    [a.fleet.organization],
  );
  await a.portal.pool.query(
    `insert into assignment (stream_id, project_id, valid_from, valid_to) values ($1, $2, now() - interval '1 day', 'infinity')`,
    [machine.streamId, rows[0].id],
  );
  return String(rows[0].id);
};

test('the nearest contact is the machine’s, otherwise its project’s, otherwise the organization’s (53.14)', async () => {
  expect(await nearest()).toBe(null);
  await use('organization', '', await contact('Kantoor'));
  expect(await nearest()).toEqual({
    contactName: 'Kantoor',
    telephone: '06-12345678',
    contactNote: '',
    by: 'organization',
    ownerName: '',
  });
  const sluis = await project();
  await use('project', sluis, await contact('Uitvoerder'));
  expect(await nearest()).toMatchObject({ contactName: 'Uitvoerder', by: 'project', ownerName: 'Sluis' });
  const driver = await contact('Machinist');
  await use('machine', machine.serial.toLowerCase(), driver);
  expect(await nearest()).toMatchObject({ contactName: 'Machinist', by: 'machine' });
  await use('machine', machine.serial, null);
  expect(await nameOf()).toBe('Uitvoerder');
});

test('a contact that a reader may not see is passed over for the next nearest (53.14)', async () => {
  await use('organization', '', await contact('Kantoor'));
  await use('project', await project(), await contact('Uitvoerder', 'gebruiker'));
  await use('machine', machine.serial, await contact('Privé', 'beheerder'));
  expect([await nameOf(), await nameOf(user), await nameOf(viewer)]).toEqual([
    'Privé',
    'Uitvoerder',
    'Kantoor',
  ]);
});

test('one change or deletion of a contact applies to all its uses, and the list names the uses (53.14)', async () => {
  const office = await contact('Kantoor');
  const jan = await contact('Jan');
  await use('organization', '', office);
  const sluis = await project();
  await use('project', sluis, jan);
  await use('machine', machine.serial, jan);
  expect(await list()).toMatchObject([
    {
      contactName: 'Jan',
      uses: [
        { by: 'project', target: sluis, targetName: 'Sluis' },
        { by: 'machine', target: machine.serial },
      ],
    },
    { contactName: 'Kantoor', uses: [{ by: 'organization', target: '' }] },
  ]);
  await save({ _id: jan, contactName: 'Piet', telephone: '+32 470 12 34 56' });
  expect(await nearest()).toMatchObject({ contactName: 'Piet', telephone: '+32 470 12 34 56' });
  const gone = await a.call('POST /api/contact/delete', { as: manager, body: { name: 'klant', _id: jan } });
  expect(gone.status).toBe(200);
  expect(await nameOf()).toBe('Kantoor');
  expect(await list()).toHaveLength(1);
});

test('a machine that is sold or deleted loses its contact, and so does a deleted project (53.14)', async () => {
  const jan = await contact('Jan');
  const sluis = await project();
  const count = async () => (await a.portal.pool.query('select from contact_use')).rowCount;
  await use('project', sluis, jan);
  await use('machine', machine.serial, jan);
  expect(await count()).toBe(2);
  await a.call('POST /api/project/delete', { as: manager, body: { _id: Number(sluis) } });
  expect(await count()).toBe(1);
  expect((await a.sell(machine.serial, 'ander')).status).toBe(200);
  expect([await count(), await nearest(other)]).toEqual([0, null]);
  const second = `KR-${number}-2`;
  await a.portal.machine(a.fleet.organization, { serial: second, batteries: [] });
  await use('machine', second, jan);
  await a.call('DELETE /api/machine/delete', { as: a.admin, query: { machine_serial: second } });
  expect(await count()).toBe(0);
});

test('another organization neither sees nor uses the contacts of an organization (53.14)', async () => {
  const jan = await contact('Jan');
  await use('organization', '', jan);
  const asked = (as: string) => a.call('GET /api/contact/nearest', { as, query: { serial: machine.serial } });
  expect((await asked(other)).status).toBe(404);
  expect((await a.call('GET /api/contact/get', { as: other, query: { name: 'klant' } })).status).toBe(404);
  expect((await save({ _id: jan }, other)).status).toBe(404);
  expect((await save({ _id: jan }, other, 'ander')).status).toBe(404);
  for (const name of ['klant', 'ander'])
    expect((await a.call('POST /api/contact/delete', { as: other, body: { name, _id: jan } })).status).toBe(
      404,
    );
  expect((await use('organization', '', jan, other, 'ander')).status).toBe(404);
  expect((await use('machine', machine.serial, null, other, 'ander')).status).toBe(404);
  expect((await use('project', await project(), null, other, 'ander')).status).toBe(404);
  expect(await nameOf()).toBe('Jan');
});

test('users who may not manage alerts get 403 for changing, assigning and listing contacts (53.14)', async () => {
  const jan = await contact('Jan');
  for (const as of [user, viewer]) {
    expect((await save({}, as)).status).toBe(403);
    expect((await use('organization', '', jan, as)).status).toBe(403);
    expect((await a.call('GET /api/contact/get', { as, query: { name: 'klant' } })).status).toBe(403);
  }
});

test.each([
  [{ telephone: 'bel Jan' }, 'Telefoonnummer heeft alleen cijfers, spaties en streepjes, zoals 06-12345678'],
  [{ telephone: '06-1234567' }, 'Telefoonnummer heeft in Nederland 10 cijfers'],
  [{ telephone: '' }, 'Telefoonnummer ontbreekt'],
  [{ contactName: ' ' }, 'Naam ontbreekt'],
  [{ contactName: 'Jan\nKees' }, 'Naam is onleesbaar'],
  [{ contactNote: 'x'.repeat(201) }, 'Toelichting is te lang'],
])('a contact with %o is rejected in Dutch (53.14)', async (part, message) => {
  const answer = await save(part);
  expect([answer.status, answer.message]).toEqual([400, expect.stringContaining(message)]);
});

test('the audit log refers to a contact by its id, and to a change by the name of the field, without names and telephone numbers (53.14)', async () => {
  const jan = await contact('Jan');
  await save({ _id: jan, contactName: 'Jan', telephone: '085-0123456' });
  await save({ _id: jan, contactName: 'Jan', telephone: '085-0123456' });
  await use('organization', '', jan);
  await use('organization', '', jan);
  await a.call('POST /api/contact/delete', { as: manager, body: { name: 'klant', _id: jan } });
  const { rows } = await a.portal.pool.query(
    `select action, data, changes from audit where action like 'contact.%' order by id`,
  );
  expect(rows).toEqual([
    { action: 'contact.create', data: { contact: `nummer ${jan}` }, changes: {} },
    {
      action: 'contact.edit',
      data: { contact: `nummer ${jan}`, changedFields: ['telephone'] },
      changes: {},
    },
    { action: 'contact.use', data: { contact: `nummer ${jan}`, contactOf: 'organisatie' }, changes: {} },
    { action: 'contact.delete', data: { contact: `nummer ${jan}` }, changes: {} },
  ]);
});
