import type { ChangeExample } from './apply-example.ts';

/** Folders that only the example has. */
export const EXAMPLE_FOLDERS = ['src/server/inspections/', 'src/web/features/inspections/'];

/** Files that `npm run schema` and `npm run check-sql -- --write` change. */
export const GENERATED_FILES = ['docs/schema.sql', 'src/server/inspections/statements.snap'];

/**
 * Example of a noun (a subject with its own tables and calls): `inspection`, an inspection by an organization on a day. One table, four
 * calls, a page and three actions in the audit log.
 */
export const noun: ChangeExample = {
  'migrations/0198-inspections.sql': `create table inspection (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  name text not null,
  day date not null
);
create index inspection_organization on inspection (organization_id);
comment on table inspection is 'Inspections of an organization';
comment on column inspection.day is 'in Amsterdam';
`,
  'src/shared/contract/inspections.ts': `import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';
import { CalendarDay, singleLineText } from './projects.ts';

const fields = { inspectionName: singleLineText(100), inspectionDay: CalendarDay };
const Fields = z.object(fields);
export type InspectionFields = z.output<typeof Fields>;

const Inspection = z.object({ ...fields, _id: z.number().int(), organization: z.string() });
export type Inspection = z.output<typeof Inspection>;

/** Inspections of an organization. */
export const inspectionsApi = {
  'GET /api/inspection/get': {
    summary:
      'Lists the inspections by day: of all organizations for an administrator, of their own for others.',
    dutch: 'De keuringen op dag: die van alle organisaties voor een administrator, de eigen voor anderen.',
    needs: 'see-machines',
    response: z.array(Inspection),
  },
  'POST /api/inspection/create': {
    summary: 'Adds an inspection. An administrator names the organization.',
    dutch: 'Voegt een keuring toe. Een administrator noemt de organisatie.',
    needs: 'manage-projects',
    body: z.object({ ...fields, organization: singleLineText(254).optional() }),
    response: z.object({ message: z.string(), _id: z.number().int() }),
  },
  'POST /api/inspection/edit': {
    summary: 'Changes an inspection.',
    dutch: 'Wijzigt een keuring.',
    needs: 'manage-projects',
    body: z.object({ ...fields, _id: z.int32() }),
  },
  'POST /api/inspection/delete': {
    summary: 'Deletes an inspection.',
    dutch: 'Verwijdert een keuring.',
    needs: 'manage-projects',
    body: z.object({ _id: z.int32() }),
  },
} as const satisfies Endpoints;
`,
  'src/shared/contract/api.ts': [
    { before: `import { invitationsApi }`, put: `import { inspectionsApi } from './inspections.ts';\n` },
    { before: `  ...maintenanceApi,\n`, put: `  ...inspectionsApi,\n` },
  ],
  'src/shared/domain/field-texts.ts': [
    {
      before: `  projectName: 'Naam',\n`,
      put: `  inspectionName: 'Naam',\n  inspectionDay: 'Dag',\n`,
    },
  ],
  'src/shared/domain/log-text.ts': [
    {
      before: `  'label.create': [`,
      put: `  'inspection.create': ['organization', 'Keuring toegevoegd'],
  'inspection.edit': ['organization', 'Keuring gewijzigd'],
  'inspection.delete': ['organization', 'Keuring verwijderd'],
`,
    },
  ],
  'src/server/modules.ts': [
    {
      before: `import { invitations } from`,
      put: `import { inspections } from '#server/inspections/module.ts';\n`,
    },
    { before: `  maintenance,\n`, put: `  inspections,\n` },
  ],
  'src/server/inspections/module.ts': `import type { Caller } from '#server/auth/sessions.ts';
import type { Module } from '#server/platform/module.ts';
import { createInspection, deleteInspection, editInspection, listInspections } from './inspections.store.ts';

/** Serves the inspections of an organization. */
export const inspections: Module<Caller> = {
  topics: {
    inspection: { title: 'Keuringen', about: 'Wanneer wat van een organisatie wordt gekeurd.' },
  },
  routes: (serve, { pool }) => {
    serve('GET /api/inspection/get', ({ caller }) => listInspections(pool, caller.scope));

    serve('POST /api/inspection/create', async ({ caller, body }) => ({
      message: 'De keuring is toegevoegd.',
      _id: await createInspection(pool, caller, body),
    }));

    serve('POST /api/inspection/edit', async ({ caller, body }) => {
      await editInspection(pool, caller, body);
      return { message: 'De keuring is gewijzigd.' };
    });

    serve('POST /api/inspection/delete', async ({ caller, body: { _id } }) => {
      await deleteInspection(pool, caller, _id);
      return { message: 'De keuring is verwijderd.' };
    });
  },
};
`,
  'src/server/inspections/inspections.store.ts': `import type { Caller } from '#server/auth/sessions.ts';
import { auditOrganization } from '#server/organizations/audit-organization.ts';
import {
  organizationsParameter,
  resolveTargetOrganization,
} from '#server/organizations/organizations.store.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import type { Inspection, InspectionFields } from '#shared/contract/inspections.ts';
import type { Scope } from '#shared/domain/access.ts';

/** Returns the inspections of the scope, by day. */
export async function listInspections(db: Database, scope: Scope): Promise<Inspection[]> {
  const { rows } = await db.query<Inspection>(
    \`select i.id as _id, i.name as inspection_name, i.day::text as inspection_day, o.name as organization
     from inspection i join organization o on o.id = i.organization_id
     where $1::integer[] is null or i.organization_id = any ($1) order by i.day, i.id\`,
    [organizationsParameter(scope)],
  );
  return rows;
}

/** @throws ProblemError 400 for an unknown organization */
export const createInspection = (
  pool: Pool,
  caller: Caller,
  { organization, ...inspection }: InspectionFields & { readonly organization?: string | undefined },
): Promise<number> =>
  inTransaction(pool, async (client) => {
    const organizationId = await resolveTargetOrganization(client, caller, organization);
    const { rows } = await client.query<{ id: number }>(
      'insert into inspection (organization_id, name, day) values ($1, $2, $3) returning id',
      [organizationId, inspection.inspectionName, inspection.inspectionDay],
    );
    await auditOrganization(client, caller, 'inspection.create', organizationId, { after: inspection });
    return rows[0]?.id as number;
  });

/** @throws ProblemError 404 outside the caller's scope */
export const editInspection = (
  pool: Pool,
  caller: Caller,
  { _id, ...after }: InspectionFields & { readonly _id: number },
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { organizationId, ...before } = await lockInspection(client, caller.scope, _id);
    await client.query('update inspection set name = $2, day = $3 where id = $1', [
      _id,
      after.inspectionName,
      after.inspectionDay,
    ]);
    await auditOrganization(client, caller, 'inspection.edit', organizationId, { before, after });
  });

/** @throws ProblemError 404 outside the caller's scope */
export const deleteInspection = (pool: Pool, caller: Caller, id: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { organizationId, ...before } = await lockInspection(client, caller.scope, id);
    await client.query('delete from inspection where id = $1', [id]);
    await auditOrganization(client, caller, 'inspection.delete', organizationId, { before });
  });

type Stored = InspectionFields & { readonly organizationId: number };

async function lockInspection(client: Transaction, scope: Scope, id: number): Promise<Stored> {
  const { rows } = await client.query<Stored>(
    \`select organization_id, name as inspection_name, day::text as inspection_day from inspection
     where id = $1 and ($2::integer[] is null or /*rule:inspection-scope*/ organization_id = any ($2) /*=true*/) for update\`,
    [id, organizationsParameter(scope)],
  );
  if (!rows[0]) throw notFound('Deze keuring bestaat niet.');
  return rows[0];
}
`,
  'src/server/inspections/inspections.pg.test.ts': `import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

test('a manager plans an inspection, and the manager of another organization neither sees nor changes it', async () => {
  await a.portal.user('baas@klant.nl', a.fleet.organization, 'beheerder');
  await a.portal.user('ander@ander.nl', await a.portal.organization('ander'), 'beheerder');
  const [as, other] = [await a.portal.login('baas@klant.nl'), await a.portal.login('ander@ander.nl')];
  const fields = { inspectionName: 'LMRA', inspectionDay: '2026-12-01' };
  const made = await a.call('POST /api/inspection/create', { as, body: fields });
  const { _id } = made.json;
  const list = async (who: string) => (await a.call('GET /api/inspection/get', { as: who })).json;
  expect(await list(as)).toEqual([{ ...fields, _id, organization: 'klant' }]);
  expect(await list(other)).toEqual([]);
  const stranger = await a.call('POST /api/inspection/edit', { as: other, body: { ...fields, _id } });
  expect(stranger.status).toBe(404);
});
`,
  'src/server/inspections/test/noun.ts': `import { organizationMarker } from '#server/test/security/principals/planted.ts';
import {
  createNextIdTaker,
  nextName,
  requestById,
  type TargetOwner,
  TEXT_FIELD_VALUES,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

type PlantedInspections = { nextInspection(whose: TargetOwner): number };

const fields = () => ({ inspectionName: nextName(), inspectionDay: '2026-12-01' });

export const noun: TestedNoun<PlantedInspections> = {
  permissions: \`
                                         nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/inspection/get                  401    200  200    200     403         200   200        200   403               401      401     200          403     403
POST /api/inspection/create              401    403  403    200     403         200   403        403   403               401      401     403          403     403    generated
POST /api/inspection/edit                401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/inspection/edit (of another)   401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/inspection/delete              401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/inspection/delete (of another) 401    403  403    404     403         200   403        403   403               401      401     403          403     403
\`,
  async plant({ pool }, { ids }) {
    const plant = async (label: 'eigen' | 'ander') => {
      const { rows } = await pool.query<{ id: number }>(
        \`insert into inspection (organization_id, name, day)
         select $1, $2 || '-keuring', '2026-12-01' from generate_series(1, 120) returning id\`,
        [ids.get(label), organizationMarker(label)],
      );
      return rows.map(({ id }) => id);
    };
    return {
      nextInspection: createNextIdTaker({ own: await plant('eigen'), foreign: await plant('ander') }),
    };
  },
  requests: {
    'POST /api/inspection/create': () => ({
      body: { ...fields(), organization: organizationMarker('eigen') },
    }),
    'POST /api/inspection/edit': requestById((world) => world.nextInspection('own'), fields),
    'POST /api/inspection/edit (of another)': requestById((world) => world.nextInspection('foreign'), fields),
    'POST /api/inspection/delete': requestById((world) => world.nextInspection('own')),
    'POST /api/inspection/delete (of another)': requestById((world) => world.nextInspection('foreign')),
  },
  fields: {
    inspectionName: TEXT_FIELD_VALUES,
    inspectionDay: { good: ['2026-12-01'], odd: ['2026-02-30', 'x'] },
  },
  rows: [
    \`insert into inspection (organization_id, name, day) select id, 'LMRA', now() from organization limit 1\`,
  ],
  rules: {
    'inspections.pg.test.ts': { 'inspection-scope': 'An inspection is changed inside the scope only.' },
  },
};
`,
  'src/web/features/inspections/inspections-page.tsx': `import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isActionAllowed } from '#shared/domain/access.ts';
import { dutchDate } from '#shared/domain/nl.ts';
import { readQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { useUser } from '#web/session/user.ts';
import { CardActions, CardList, LoadedList } from '#web/ui/card-list.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';

/** The page at /keuringen: the inspections by day. */
export function InspectionsPage(): ReactNode {
  const inspections = useQuery(readQuery('GET /api/inspection/get'));
  const removal = useChange('POST /api/inspection/delete');
  const mayChange = isActionAllowed(useUser(), 'manage-projects');
  return (
    <Page title="Keuringen" back="/">
      <LoadedList query={inspections} empty={<EmptyState title="Nog geen keuringen" />}>
        {(all) => (
          <CardList label="Keuringen" items={all} keyOf={({ _id }) => _id}>
            {({ _id, inspectionName, inspectionDay }) => (
              <>
                <h2>{inspectionName}</h2>
                <p>{dutchDate(inspectionDay)}</p>
                {mayChange && (
                  <CardActions>
                    <Button variant="default" onClick={() => removal.mutate({ body: { _id } })}>
                      Verwijder
                    </Button>
                  </CardActions>
                )}
              </>
            )}
          </CardList>
        )}
      </LoadedList>
    </Page>
  );
}
`,
  'src/web/features/inspections/pages.ts': `import type { Pages } from '#web/lib/page-declaration.ts';

export const inspectionsPages: Pages = {
  inspections: {
    path: '/keuringen',
    title: 'Keuringen',
    needs: 'see-machines',
    load: async () => (await import('./inspections-page.tsx')).InspectionsPage,
  },
};
`,
  'src/web/app/pages.ts': [
    {
      before: `import { lmbLoggersPages }`,
      put: `import { inspectionsPages } from '#web/features/inspections/pages.ts';\n`,
    },
    { before: `  ...lmbLoggersPages,`, put: `  ...inspectionsPages,\n` },
  ],
};
