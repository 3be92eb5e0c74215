import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkStatements } from './check.ts';
import { type CheckServer, startServer } from './database.ts';
import { openServerSource, REPOSITORY_ROOT } from './program.ts';

/** Mistakes that the check must find, in ten files: an edit of a statement in the file (`edit`), or a change of the schema (`sql`). */
const FAULTS: readonly {
  readonly file: string;
  readonly edit?: readonly [string, string];
  readonly sql?: string;
}[] = [
  {
    file: 'alerts/active-rules.store.ts',
    edit: ['r.organization_id, r.kind', 'r.organization_id as organisation_id, r.kind'],
  },
  { file: 'work-weeks/calendars.store.ts', edit: ['w.label_id,', 'w.label_id as label,'] },
  { file: 'streams/scope.ts', edit: ['s.id as stream_id, s.serial', 's.id, s.serial'] },
  { file: 'streams/contradictions.ts', edit: ['* 1000 as compared', '* 1000 as compared_at'] },
  { file: 'backup/backup-made.store.ts', sql: 'alter table backup_made drop column tried_at' },
  { file: 'alerts/preferences.store.ts', sql: 'alter table alert_preference drop column quiet_from cascade' },
  { file: 'auth/sign-in-steps.ts', sql: 'alter table sign_in_step drop column challenge' },
  {
    file: 'writers/logger-health.ts',
    edit: ['lastError: DeliveryFinding[] | null;', 'lastError: DeliveryFinding[];'],
  },
  {
    file: 'alerts/portal-state.store.ts',
    sql: 'alter table portal_disk alter column free_bytes drop not null',
  },
  {
    file: 'maintenance/maintenance.store.ts',
    sql: 'alter table maintenance_done alter column day drop not null',
  },
];

const files = FAULTS.map(({ file }) => `${REPOSITORY_ROOT}src/server/${file}`);
let server: CheckServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Returns the files in which the check finds problems. */
async function filesWithProblems(changed?: ReadonlyMap<string, string>): Promise<string[]> {
  const source = openServerSource(changed);
  try {
    const { problems } = await checkStatements(source, server, files);
    return [...new Set(problems.map(({ place }) => place.replace(/^src\/server\/|:\d+$/g, '')))];
  } finally {
    source.close();
  }
}

test('the check finds a wrong alias, a dropped column and a changed nullability in each of ten statements (46.3)', async () => {
  expect(await filesWithProblems()).toEqual([]);
  const changed = new Map<string, string>();
  for (const { file, edit, sql } of FAULTS) {
    if (sql) await server.run(sql);
    if (!edit) continue;
    const path = `${REPOSITORY_ROOT}src/server/${file}`;
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(edit[0]);
    changed.set(path, text.replace(...(edit as [string, string])));
  }
  expect((await filesWithProblems(changed)).sort()).toEqual(FAULTS.map(({ file }) => file).sort());
});
