import { offerReauthentication, reauthenticate } from '#server/auth/reauthentication.ts';
import type { SecondStepDependencies } from '#server/auth/second-step.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import type { Module } from '#server/platform/module.ts';
import { unauthenticated } from '#server/platform/problem.ts';
import { deleteUser } from '#server/users/users.store.ts';
import { readPersonalData } from './own-data.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.ts';
import { listOwnSubscriptions } from './own-subscriptions.ts';

/** Registers the calls about the caller's own account (/account). */
export const account: Module<Caller, SecondStepDependencies> = {
  topics: {
    account: { title: 'Mijn account', about: 'Wat iemand aan het eigen account kan doen.' },
  },
  routes: (serve, parts) => {
    const { pool, secrets, sessions, session } = parts;

    serve('POST /api/account/name', async ({ caller, body: { displayName } }) => {
      const name = await renameSelf(pool, caller, displayName);
      return {
        name,
        message: name === null ? 'Je heet nu weer naar je e-mailadres.' : `Je heet nu ${name}.`,
      };
    });

    serve('GET /api/account/sessions', ({ caller }) => listOwnSessions(pool, caller));

    serve('POST /api/account/sessions/end', async ({ caller, body: { id } }) => {
      await endOwnSession(pool, caller, id);
      return { message: 'De sessie is beëindigd.' };
    });

    serve('POST /api/account/sessions/end-others', async ({ caller }) => {
      await endOtherSessions(pool, caller);
      return { message: 'Alle andere sessies zijn beëindigd.' };
    });

    serve('GET /api/account/subscriptions', ({ caller }) => listOwnSubscriptions(pool, caller));

    serve('GET /api/account/data', async ({ caller, reply }) => {
      const data = await readPersonalData(pool, caller);
      await audit(pool, { actor: caller.email, action: 'user.export', subject: caller.email, data: {} });
      reply.header('content-disposition', 'attachment; filename="mijn-gegevens.json"');
      return reply.type('application/json; charset=utf-8').send(`${JSON.stringify(data, undefined, 2)}\n`);
    });

    serve('POST /api/account/proof/options', ({ caller, request, reply }) =>
      offerReauthentication(parts, caller, request, reply),
    );

    serve('POST /api/account/proof', async ({ caller, body, request, reply }) => {
      await reauthenticate(parts, caller, body, request);
      const token = await sessions.renew(session.read(request) ?? '');
      if (token === undefined) throw unauthenticated();
      session.write(reply, token);
      await audit(pool, { actor: caller.email, action: 'session.prove', subject: caller.email, data: {} });
      return { message: 'Bevestigd.' };
    });

    serve('DELETE /api/account', async ({ caller, reply }) => {
      // People who delete themselves may register again with the organization's code.
      await deleteUser(pool, secrets, caller, caller.email, true);
      session.clear(reply);
      return { message: 'Je account is verwijderd.' };
    });
  },
};

/** Renames the caller. @returns the stored name, with single blanks; null for an empty one */
const renameSelf = (pool: Pool, { accountId, email }: Caller, typed: string): Promise<string | null> =>
  inTransaction(pool, async (client) => {
    const name = typed.normalize('NFC').replace(/\s+/gu, ' ') || null;
    const { rowCount } = await client.query(
      'update account set name = $2 where id = $1 and name is distinct from $2',
      [accountId, name],
    );
    // The audit row leaves out the name, because the row is kept after the account is deleted.
    if (rowCount === 1)
      await audit(client, { actor: email, action: 'user.rename', subject: email, data: {} });
    return name;
  });
