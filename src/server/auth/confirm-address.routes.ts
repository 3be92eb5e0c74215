import { inTransaction, type Pool } from '#server/platform/database.ts';
import { countAttempt } from '#server/platform/rate-limit.ts';
import type { ServeCall } from '#server/platform/serve.ts';
import { networkOf } from '#server/platform/visitor-address.ts';
import type { AddressConfirmation } from './address-confirmation.ts';
import type { Caller } from './sessions.ts';

/** Limits per 15 minutes: mails per account, and opened links per network address. */
const MAILS = 3;
const OPENED = 60;

/** Registers the calls that confirm an account's address. */
export function confirmAddressRoutes(
  serve: ServeCall<Caller>,
  pool: Pool,
  confirmation: AddressConfirmation,
): void {
  serve('POST /api/auth/confirm-address/send', async ({ caller }) => {
    if (caller.isConfirmed) return { message: 'Je e-mailadres is al bevestigd.' };
    await countAttempt(pool, [{ key: `confirm ${caller.accountId}`, tries: MAILS }]);
    await inTransaction(pool, (client) => confirmation.ask(client, caller.accountId));
    return {
      message: caller.hasMailServer
        ? `Er is een mail onderweg naar ${caller.email}.`
        : 'Dit portaal verstuurt geen mail. Vraag je beheerder om de link waarmee je verder kunt.',
    };
  });

  serve('POST /api/auth/confirm-address', async ({ body, request }) => {
    await countAttempt(pool, [{ key: `confirm from ${networkOf(request.ip)}`, tries: OPENED }]);
    const { email, isHandedOver } = await confirmation.confirm(pool, body.token);
    return { message: isHandedOver ? 'Je kunt nu inloggen.' : 'Je e-mailadres is bevestigd.', email };
  });
}
