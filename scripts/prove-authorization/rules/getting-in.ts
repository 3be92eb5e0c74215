import { proved, type Rule } from '../rule.ts';

/** How people come into an organization: invitations, who waits for a word, who was deleted, codes, confirmed addresses. */
export const gettingIn: readonly Rule[] = [
  ...proved('invitations.pg.test.ts', {
    'getting in: by the very link of an invitation':
      'where ⟦$1 = any (i.token_hashes)→$1::bytea is not null⟧',
    'getting in: an invitation works once': "if (⟦found.endedAs === 'accepted'→false⟧) throw gone",
    'getting in: an invitation that was revoked does nothing':
      "if (⟦found.endedAs === 'revoked'→false⟧) throw gone",
    'getting in: an invitation is good for 7 days': 'if (⟦found.isOver→false⟧) throw gone',
    'getting in: nobody is invited into a disabled organization': 'if (⟦!found.isActive→false⟧)',
    'getting in: a beheerder invites into their own organization':
      "const name = ⟦caller.scope.organizations === 'all' ? (asked ?? caller.organization) : caller.organization→asked ?? caller.organization⟧;",
    'getting in: with a role of that organization': 'if (⟦!rolesIn(name).includes(role)→false⟧)',
    'getting in: one sees and revokes the invitations of their own organization':
      'where i.ended_as is null and ($1::integer[] is null or ⟦o.id = any ($1)→true⟧)`;',
    'getting in: who invites hears of no account of another organization':
      'where lower(a.email) = lower($2) and ($1::integer[] is null or ⟦o.id = any ($1)→true⟧)`, [organizationsOf(scope), email]',
    'getting in: who has an account gets no link to another one':
      '⟦if (invited.exists) return mail.send(accountLetter(invited, publicUrl), id);⟧',
    'getting in: where a mail server brings the mail the inviter gets no link':
      'if (⟦hasMailServer→false⟧) return undefined;',
  }),
  ...proved('handed-over-link.pg.test.ts', {
    'getting in: a link that was handed over confirms no address':
      'const isConfirmed = ⟦!isHandedOver→true⟧;',
  }),
  ...proved('hand-over.pg.test.ts', {
    'getting in: a link is handed over to people of their own organization':
      'on o.id = a.organization_id where ($1::integer[] is null or ⟦o.id = any ($1)→true⟧) and lower(a.email) = lower($2)`, [organizationsOf(caller.scope), email], ); const user',
    'getting in: a link to a new password is of who is below them':
      "if (what === 'password' && ⟦!isAbove(caller.role, user.role)→false⟧) throw forbidden(EQUAL);",
    'getting in: where mails are sent nobody gets a link':
      'if (⟦caller.hasMailServer→false⟧) throw conflict(MAILED);',
    'getting in: a link to a new password that was handed over confirms no address':
      'where id = $1 ⟦and not (select is_handed_over from password_reset where id = $2)→and $2 is not null⟧`',
    'getting in: a link that was handed over opens the account of that organization only':
      'where ⟦organization_id = $1→$1::integer is not null⟧ and lower(email) = $2 for update`',
  }),
  ...proved('applicants.pg.test.ts', {
    'getting in: one sees and decides about who waits for their own organization':
      'from applicant p join organization o on o.id = p.organization_id where ($1::integer[] is null or ⟦o.id = any ($1)→true⟧)`;',
    'getting in: who waits does not sign in': '⟦if (account.waits) throw forbidden(answers.waits);⟧',
    'getting in: where it takes a word nobody is in without it':
      "const waits = ⟦organization.registration === 'approval'→false⟧;",
    'getting in: where only invitations count the code does nothing':
      "and is_active ⟦and registration <> 'invitation'⟧ and name",
    'getting in: nobody is let into a disabled organization':
      "⟦if (!where[0].isActive) throw new ProblemError('conflict', 'Deze organisatie is uitgeschakeld: niemand kan er inloggen.');⟧",
  }),
  ...proved('unconfirmed.pg.test.ts', {
    'getting in: who registered by code confirms the address first':
      '⟦if (!endpoint.beforeConfirmation && gate.mustConfirm(caller)) throw addressUnconfirmed();⟧',
    'getting in: nor map tiles before the address is confirmed':
      '⟦if (visitor.mustConfirm) throw addressUnconfirmed();⟧',
    'getting in: an account by code is marked':
      'createAccount(client, { ...newcomer, mustConfirm: ⟦true→false⟧ });',
    'getting in: an account that was admitted by code is marked': 'mustConfirm: ⟦byCode→false⟧,',
    'getting in: a confirmed address ends the wait':
      'a.must_confirm ⟦and a.confirmed_at is null⟧ as "mustConfirm"',
    'getting in: a new organization starts with approval':
      "alter table organization alter column registration set default '⟦approval→code⟧';",
  }),
  ...proved('departed.pg.test.ts', {
    'getting in: who was deleted does not come back with the code':
      'if (!organization ⟦|| (await hasDeparted(client, parts.secrets, organization.id, email))⟧)',
  }),
  ...proved('address-confirmation.pg.test.ts', {
    'getting in: a link to confirm an address is good for 7 days':
      'if (⟦asked.until < now()→false⟧) throw wrongGuess(invalid(',
    'getting in: and for that very address':
      'where id = $1 and ⟦email = $2→$2::text is not null⟧ for update`, [accountId',
  }),
  ...proved('charging-mails.pg.test.ts', {
    'getting in: no mail about machines to an address that nobody confirmed':
      "m.channel = 'push' or ⟦a.confirmed_at is not null→true⟧)`",
  }),
  ...proved('registration-modes.pg.test.ts', {
    'getting in: a beheerder changes the code and mode of their own organization':
      'if (id === undefined ⟦|| !covers(caller.scope, id)⟧) throw notFound',
    'getting in: admin has no code that anybody registers with':
      '⟦if (name === ADMIN_ORGANIZATION) throw conflict(refusal);⟧',
    'getting in: the code is for who manages the people':
      "if (⟦actions.has('manage-users')→true⟧) return 'code';",
    'getting in: a technicus and a kijker are shown no code':
      "return ⟦actions.has('see-code')→true⟧ ? `case registration",
    'getting in: a gebruiker is shown the code while somebody can register with it':
      "`case registration when ⟦'invitation'→''⟧ then '' else code end`",
  }),
  ...proved('rename-organization.pg.test.ts', {
    'getting in: nor is one that gets another name':
      "⟦if (alike !== undefined) throw cleanTaken(caller.scope.organizations === 'all' ? alike : undefined);⟧",
    'getting in: nor when two get one name at once':
      '⟦await lockNames(client);⟧ const before = await lockCustomer',
    'getting in: a beheerder does not hear of another customer by its name':
      "throw cleanTaken(⟦caller.scope.organizations === 'all'→true⟧ ?",
  }),
  ...proved('organizations.pg.test.ts', {
    'getting in: no organization is shown like another one':
      '⟦if (alike !== undefined) throw cleanTaken(alike);⟧',
    'getting in: nor when both are made at once':
      '⟦await lockNames(client);⟧ if ((await findOrganization(client, organization.name))',
  }),
];
