import type { Caller } from '#server/auth/sessions.ts';
import type { Mailer } from '#server/mail/mail.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Module, ServiceOpener, SharedServices } from '#server/platform/module.ts';
import { countAttempt } from '#server/platform/rate-limit.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { networkOf } from '#server/platform/visitor-address.ts';
import { acceptInvitation, readPendingInvitation } from './accept-invitation.ts';
import { type InvitationMails, openInvitationMails } from './invitation-mails.ts';
import { expireInvitations, invite, listInvitations, revokeInvitation } from './invitations.store.ts';

/** Limits per 15 minutes: invitations by one inviter (enough for a whole company), and by one inviter to one address. */
const PER_INVITER = 100;
const PER_INVITED = 5;
/** Links opened per network address; their 128 bits cannot be guessed. */
const PER_ADDRESS = 100;

type InvitationParts = {
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly invitationMails: InvitationMails;
};

/** Registers the calls about invitations. */
export const invitations: Module<Caller, InvitationParts> &
  ServiceOpener<SharedServices & { readonly mail: Mailer }, Pick<InvitationParts, 'invitationMails'>> = {
  open: async ({ pool, jobs, mail, publicUrl, hasMailServer }) => ({
    invitationMails: await openInvitationMails(pool, jobs, mail, publicUrl, hasMailServer),
  }),
  topics: {
    invitation: { title: 'Uitnodigingen', about: 'Iemand met een mail binnenlaten.' },
  },
  routes: (serve, { pool, secrets, invitationMails: mails }) => {
    const countOpening = (ip: string) =>
      countAttempt(pool, [{ key: `invitation from ${networkOf(ip)}`, tries: PER_ADDRESS }]);

    serve('GET /api/invitation/get', ({ caller }) => listInvitations(pool, caller.scope));

    serve(
      'POST /api/invitation/create',
      async ({ caller, body: { email, role, organization, limit = null } }) => {
        await countAttempt(pool, [
          { key: `invite ${caller.accountId}`, tries: PER_INVITER },
          { key: `invite ${caller.accountId} ${email.toLowerCase()}`, tries: PER_INVITED },
        ]);
        const link = await invite(pool, mails, caller, { email, role, organization, limit });
        if (link === undefined) return { message: 'De uitnodiging wordt verstuurd.' };
        return { message: 'Dit portaal verstuurt geen mail. Geef de link zelf door.', link };
      },
    );

    serve('POST /api/invitation/revoke', async ({ caller, body: { _id } }) => {
      await revokeInvitation(pool, caller, _id);
      return { message: 'De uitnodiging is ingetrokken.' };
    });

    serve('POST /api/invitation/look', async ({ body: { token }, request }) => {
      await countOpening(request.ip);
      const { email, organizationName, role, isOnlyOidc } = await readPendingInvitation(pool, token);
      const provider = isOnlyOidc === null ? null : { isOnly: isOnlyOidc };
      return { email, cleanorg: organizationName, role, provider };
    });

    serve('POST /api/invitation/accept', async ({ body: { token, password }, request }) => {
      await countOpening(request.ip);
      const email = await acceptInvitation(pool, secrets, token, password);
      return { message: 'Je account is gemaakt.', email };
    });
  },
  periodic: [['old invitations', expireInvitations]],
};
