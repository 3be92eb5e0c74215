import type { Caller } from '#server/auth/sessions.ts';
import type { Module } from '#server/platform/module.ts';
import { unknownStreamError, visibleStreamsParameters, visibleStreamsSql } from '#server/streams/scope.ts';
import { normalizeSerial } from '#server/streams/streams.store.ts';
import { deleteContact, listContacts, saveContact, setContact } from './contacts.store.ts';
import { type ContactMachine, nearestContacts } from './nearest.ts';

/** Serves the contacts of machines (53.14). */
export const contacts: Module<Caller> = {
  topics: {
    contact: {
      title: 'Contacten',
      about: 'Wie je belt over een organisatie, een project of een machine.',
    },
  },
  routes: (serve, { pool, now }) => {
    serve('GET /api/contact/get', ({ caller, query }) => listContacts(pool, caller.scope, query.name));

    serve('GET /api/contact/nearest', async ({ caller, query }) => {
      const { rows } = await pool.query<ContactMachine>(
        `select s.id as stream_id, s.organization_id from ${visibleStreamsSql(caller.scope)} where lower(s.serial) = lower($3)`,
        [...visibleStreamsParameters(caller.scope, ['machine']), normalizeSerial(query.serial)],
      );
      const [machine] = rows;
      if (!machine) throw unknownStreamError(['machine']);
      const contacts = await nearestContacts(pool, caller, [machine], now());
      return { contact: contacts.get(machine.streamId) ?? null };
    });

    serve('POST /api/contact/save', async ({ caller, body }) => ({
      message: body._id === undefined ? 'Het contact is toegevoegd.' : 'Het contact is gewijzigd.',
      _id: await saveContact(pool, caller, body),
    }));

    serve('POST /api/contact/delete', async ({ caller, body }) => {
      await deleteContact(pool, caller, body);
      return { message: 'Het contact is verwijderd.' };
    });

    serve('POST /api/contact/use', async ({ caller, body }) => {
      await setContact(pool, caller, body);
      return {
        message: body.contact === null ? 'Er is geen eigen contact meer.' : 'Het contact is bewaard.',
      };
    });
  },
};
