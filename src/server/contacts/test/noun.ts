import { organizationMarker, type PlantedOrganization } from '#server/test/security/principals/planted.ts';
import {
  createNextIdTaker,
  type RequestSubject,
  requestByName,
  TEXT_FIELD_VALUES,
  type TestedNoun,
  type TestWorld,
} from '#server/test/security/principals/tested-noun.ts';

/** Contacts of the organization of `user`. */
type PlantedContacts = {
  /** No request deletes this contact. */
  readonly contactId: number;
  /** Returns a contact that no request has deleted or used. */
  nextContact(whose: 'own'): number;
};

/** Number of planted contacts: each request of `permissions` below that deletes or uses a contact uses up one of them. */
const EACH = 240;

const CONTACT = { contactName: 'Bel mij', telephone: '06-12345678', contactNote: '', seenFrom: 'kijker' };
/** Returns fields that name another organization, with a contact of `user`'s organization. */
const otherContact = (target: RequestSubject, world: TestWorld & PlantedContacts) => ({
  ...requestByName(target, world, 'nobody').query,
  contact: world.contactId,
});

export const noun: TestedNoun<PlantedContacts> = {
  permissions: `
                                      nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/contact/get                  401    403  403    200     403         200   403        403   403               401      401     200          403     403
GET /api/contact/get (of another)     401    403  403    404     403         200   403        403   403               401      401     200          403     403
GET /api/contact/nearest              401    200  200    200     403         200   200        404   403               401      401     200          200     200
POST /api/contact/save                401    403  403    200     403         200   403        403   403               401      401     403          403     403    generated
POST /api/contact/save (of another)   401    403  403    404     403         200   403        403   403               401      401     403          403     403    generated
POST /api/contact/delete              401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/contact/delete (of another) 401    403  403    404     403         404   403        403   403               401      401     403          403     403
POST /api/contact/use                 401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/contact/use (of another)    401    403  403    404     403         404   403        403   403               401      401     403          403     403
`,
  /**
   * Plants contacts; the first of each organization is the organization's own. Those of the organization of `user` are deleted by requests.
   */
  async plant({ pool }, { ids }) {
    const plant = async (label: PlantedOrganization, count: number): Promise<number[]> => {
      const { rows } = await pool.query<{ id: number }>(
        `insert into contact (organization_id, name, telephone, note, seen_from)
         select $1, $2 || '-contact', '06-12345678', $2 || '-toelichting', 'kijker' from generate_series(1, $3) returning id`,
        [ids.get(label), organizationMarker(label), count],
      );
      const all = rows.map(({ id }) => id);
      await pool.query('insert into contact_use (organization_id, contact_id) values ($1, $2)', [
        ids.get(label),
        all[0],
      ]);
      return all;
    };
    for (const label of ['ander', 'spoor', 'rails', 'dicht'] as const) await plant(label, 1);
    const own = await plant('eigen', EACH);
    return {
      contactId: own.shift() as number,
      nextContact: createNextIdTaker({ own }),
    };
  },
  requests: {
    'GET /api/contact/get': () => ({ query: { name: organizationMarker('eigen') } }),
    'GET /api/contact/get (of another)': requestByName,
    'GET /api/contact/nearest': (target) => ({ query: { serial: target.serial } }),
    'POST /api/contact/save': () => ({ body: { ...CONTACT, name: organizationMarker('eigen') } }),
    'POST /api/contact/save (of another)': (...of) => ({
      body: { ...CONTACT, ...requestByName(...of).query },
    }),
    'POST /api/contact/delete': (_, world) => ({
      body: { name: organizationMarker('eigen'), _id: world.nextContact('own') },
    }),
    'POST /api/contact/delete (of another)': (target, world) => ({
      body: { ...otherContact(target, world), _id: world.contactId },
    }),
    'POST /api/contact/use': (_, world) => ({
      body: {
        name: organizationMarker('eigen'),
        by: 'organization',
        target: '',
        contact: world.nextContact('own'),
      },
    }),
    'POST /api/contact/use (of another)': (target, world) => ({
      body: { ...otherContact(target, world), by: 'organization', target: '' },
    }),
  },
  fields: {
    contactName: TEXT_FIELD_VALUES,
    contactNote: TEXT_FIELD_VALUES,
    telephone: {
      good: ['06-12345678', '+32 470 12 34 56'],
      odd: ['06', 'bel mij', 'tel:0612345678', '0'.repeat(41)],
    },
  },
  administration: ['contact_use'],
  rules: {
    'contacts.pg.test.ts > another organization': {
      'contact-organization': 'A contact is changed inside its own organization only.',
    },
  },
};
