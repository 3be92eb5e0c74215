import type { Caller, SecondFactorSetting } from '#server/auth/sessions.ts';
import type { Pool } from '#server/platform/database.ts';
import { FieldErrors } from '#server/platform/field-errors.ts';
import type { Module } from '#server/platform/module.ts';
import { checkOrganizationDisplayName, checkOrganizationName } from '#shared/domain/organization-name.ts';
import { readSecondFactorRequirement, setSecondFactorRequirement } from './factor-rule.ts';
import {
  addOrganization,
  deleteOrganization,
  renameOrganization,
  renewRegistrationCode,
  setOrganizationActive,
  setRegistrationMode,
} from './organization-changes.ts';
import { listOrganizations } from './organizations.store.ts';
import { changePrivacy, readPrivacy } from './privacy.store.ts';

/** Registers the calls about organizations (API-01, Organizations). */
export const organizations: Module<
  Caller,
  { readonly pool: Pool; readonly factorSetting: SecondFactorSetting }
> = {
  topics: {
    organization: { title: 'Organisaties', about: 'Organisaties en hun registratiecodes.' },
  },
  routes: (serve, { pool, factorSetting }) => {
    serve('GET /api/organization/get', ({ caller }) => listOrganizations(pool, caller.scope));
    serve('GET /api/organization/get/electric', ({ caller }) => listOrganizations(pool, caller.scope, false));
    serve('GET /api/organization/get/berende', ({ caller }) => listOrganizations(pool, caller.scope, true));

    serve('GET /api/organization/create', async ({ caller, query }) => {
      const errors = new FieldErrors(['name', 'clean']);
      const name = errors.take('name', checkOrganizationName(query.name));
      const clean = errors.take('clean', checkOrganizationDisplayName(query.clean));
      errors.throwIfAny();
      return addOrganization(pool, caller.email, { name, clean, isLmbCustomer: query.isBerende });
    });

    serve('GET /api/organization/privacy', ({ caller, query }) =>
      readPrivacy(pool, caller.scope, query.name),
    );
    serve('POST /api/organization/privacy', ({ caller, body: { name, ...privacy } }) =>
      changePrivacy(pool, caller, name, privacy),
    );

    serve('GET /api/organization/disable/', ({ caller, query }) =>
      setOrganizationActive(pool, caller.email, query.name, query.isActive),
    );

    serve('POST /api/organization/code', async ({ caller, body }) => {
      await renewRegistrationCode(pool, caller, body.name);
      return { message: 'De code is vernieuwd. De vorige werkt niet meer.' };
    });

    serve('POST /api/organization/clean', async ({ caller, body }) => {
      const errors = new FieldErrors(['clean']);
      const clean = errors.take('clean', checkOrganizationDisplayName(body.clean));
      errors.throwIfAny();
      await renameOrganization(pool, caller, body.name, clean);
      return { message: `De organisatie heet nu ${clean}.` };
    });

    serve('POST /api/organization/registration', async ({ caller, body }) => {
      await setRegistrationMode(pool, caller, body.name, body.registration);
      return { message: 'De organisatie is gewijzigd.' };
    });

    serve('DELETE /api/organization/delete/', async ({ caller, query }) => {
      await deleteOrganization(pool, caller.email, query.name);
      return { message: 'De organisatie is verwijderd.' };
    });

    serve('GET /api/organization/second-factor', ({ caller, query }) =>
      readSecondFactorRequirement(pool, factorSetting, caller.scope, query.name),
    );
    serve('POST /api/organization/second-factor', ({ caller, body }) =>
      setSecondFactorRequirement(pool, factorSetting, caller, body.name, body.isRequired),
    );
  },
};
