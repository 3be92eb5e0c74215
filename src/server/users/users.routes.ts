import type { Caller } from '#server/auth/sessions.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Serve } from '#server/platform/serve.ts';
import { deleteUser, giveRole, listUsers, moveUser } from './users.store.ts';

/** API-01, Users. */
export function userRoutes(serve: Serve<Caller>, pool: Pool, secrets: Secrets): void {
  serve('GET /api/user/get', ({ caller }) => listUsers(pool, caller.scope));
  serve('DELETE /api/user/delete', async ({ caller, query }) => {
    await deleteUser(pool, secrets, caller, query.email, query.mayReturn);
    return { message: 'De gebruiker is verwijderd.' };
  });
  serve('POST /api/user/organization', ({ caller, body }) =>
    moveUser(pool, caller, body.email, body.organization),
  );
  serve('POST /api/user/role', ({ caller, body }) => giveRole(pool, caller, body.email, body.role));
}
