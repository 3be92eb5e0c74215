import type { AddressConfirmation } from '#server/auth/address-confirmation.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { Mailer } from '#server/mail/mail.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Module } from '#server/platform/module.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { admitApplicant, listApplicants, refuseApplicant } from './applicants.store.ts';

type ApplicantParts = {
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly mail: Mailer;
  readonly confirmation: AddressConfirmation;
  readonly publicUrl: string;
};

/** Registers the calls about applicants. */
export const applicants: Module<Caller, ApplicantParts> = {
  topics: {
    applicant: { title: 'Aanvragen', about: 'Wie zich met de code registreerde en op toelating wacht.' },
  },
  routes: (serve, parts) => {
    const { pool } = parts;
    serve('GET /api/applicant/get', ({ caller }) => listApplicants(pool, caller.scope));

    serve('POST /api/applicant/admit', async ({ caller, body: { _id } }) => {
      const link = await admitApplicant(pool, parts, caller, _id);
      return { message: 'Het account is gemaakt.', ...(link !== undefined && { link }) };
    });

    serve('POST /api/applicant/refuse', async ({ caller, body: { _id } }) => {
      await refuseApplicant(pool, parts, caller, _id);
      return { message: 'De aanvraag is geweigerd.' };
    });
  },
};
