import type { ChangeExample } from './apply-example.ts';
import { noun } from './noun.ts';

/** Number that no migration has yet. A real migration takes the next number. */
const MIGRATION = 'migrations/0198';

/** Example of a call: `GET /api/label/unused` returns the labels that no machine carries. */
const call: ChangeExample = {
  'src/shared/contract/labels.ts': [
    {
      before: `  'POST /api/label/create': {`,
      put: `  'GET /api/label/unused': {
    summary: 'Lists the names of the labels that no machine carries.',
    dutch: 'De namen van de labels die geen machine draagt.',
    needs: 'set-labels',
    response: z.array(z.string()),
  },
`,
    },
  ],
  'src/server/labels/labels.store.ts': [
    {
      before: '\nexport const removeLabel',
      put: `
/** Returns the names of the labels that no machine carries, in order. */
export async function listUnusedLabels(db: Database, scope: Scope): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    \`select name from label l where ($1::integer[] is null or organization_id = any ($1))
       and not exists (select from machine_label m where m.label_id = l.id) order by lower(name)\`,
    [organizationsParameter(scope)],
  );
  return rows.map(({ name }) => name);
}
`,
    },
  ],
  'src/server/labels/module.ts': [
    { after: 'import { listLabels', put: ', listUnusedLabels' },
    {
      before: `\n    serve('POST /api/label/create'`,
      put: `\n    serve('GET /api/label/unused', ({ caller }) => listUnusedLabels(pool, caller.scope));\n`,
    },
  ],
  'src/server/labels/test/noun.ts': [
    {
      before: 'POST /api/label/create ',
      put: `GET /api/label/unused                 401    200  403    200     403         200   200        200   403               401      401     200          403     403\n`,
    },
  ],
};

/** Example of a signal: `SteeringAngle`, stored and shown live. */
const signal: ChangeExample = {
  [`${MIGRATION}-steering-angle.sql`]: `-- The signal SteeringAngle (src/shared/domain/signal.ts).
alter table telemetry.reading add column steering_angle double precision;
`,
  'src/shared/domain/signal.ts': [
    {
      after: `  signal('Soc8', 'soc8', 'Laadtoestand accu 8', '%', 0, ['live', 'charging']),\n`,
      put: `  signal('SteeringAngle', 'steering_angle', 'Stuurhoek', 'graden', 0, ['live']),\n`,
    },
  ],
  'src/shared/domain/signal-units.ts': [
    { after: `  IsCharging: 'flag',\n`, put: `  SteeringAngle: 'angle',\n` },
  ],
};

/** Example of a table: `machine_remark`, texts that people write about a machine. */
const table: ChangeExample = {
  [`${MIGRATION}-machine-remarks.sql`]: `-- Remarks of people about a machine.
create table machine_remark (
  id integer generated always as identity primary key,
  stream_id integer not null references stream on delete cascade,
  text text not null
);
create index machine_remark_stream on machine_remark (stream_id);
`,
  'src/server/labels/test/noun.ts': [
    {
      before: `    return {\n      labelId,`,
      put: `    await pool.query(
      "insert into machine_remark (stream_id, text) select stream_id, 'Kraan lekt' from ownership",
    );
`,
    },
    {
      before: `  administration: [`,
      put: `  rows: ["insert into machine_remark (stream_id, text) select id, 'Kraan lekt' from stream limit 1"],\n`,
    },
    { after: `  administration: ['favourite', 'machine_label'`, put: `, 'machine_remark'` },
  ],
};

/** Example of an alert kind: `charging-hard`, the charging current is above a limit. */
const alertKind: ChangeExample = {
  'src/shared/domain/alerts/kinds/charging-hard.ts': `import {
  CLEAR_PERIOD_FIELD,
  type ConditionEvaluation,
  compareWithThreshold,
  type KindDeclaration,
  pendingPeriodField,
  UNKNOWN_EVALUATION,
} from './kind.ts';

export const chargingHardKind = {
  word: 'Laadstroom te hoog',
  source: 'readings',
  explanation: 'De laadstroom is boven de grens.',
  whatToDo: 'Kijk of de lader bij de machine past.',
  settings: {
    threshold: { word: 'Meer dan', unit: 'A', least: 1, most: 2_000, usual: 35 },
    clear: { word: 'Voorbij onder', unit: 'A', least: 0, most: 2_000, usual: 30 },
    hold: pendingPeriodField(2),
    clearHold: CLEAR_PERIOD_FIELD,
  },
  fires: 'above',
  clauses: (of, { threshold, clear, hold, clearHold }) => ({
    when: \`de laadstroom van \${of}\${hold} boven \${threshold} A is\`,
    ends: \`de laadstroom\${clearHold} onder \${clear} A is\`,
  }),
} satisfies KindDeclaration;

export const chargingHardEvaluation: ConditionEvaluation<{ readonly amps: number }> = {
  signals: ['ChargingCurrent'],
  buckets: { figure: 'amps' },
  evaluate({ values: { ChargingCurrent: amps } }, settings) {
    return amps === undefined ? UNKNOWN_EVALUATION : compareWithThreshold('above', amps, settings, { amps });
  },
  text: ({ amps }) => \`laadt met \${Math.round(amps)} A\`,
  sample: [{ amps: 36.2 }, 'laadt met 36 A'],
};
`,
  'src/shared/domain/alerts/kinds.ts': [
    {
      before: `import { configNotRunningKind }`,
      put: `import { chargingHardKind } from './kinds/charging-hard.ts';\n`,
    },
    { before: `  'unknown-logger': unknownLoggerKind,`, put: `  'charging-hard': chargingHardKind,\n` },
  ],
  'src/shared/domain/alerts/evaluations.ts': [
    {
      before: `import { configNotRunningEvaluation }`,
      put: `import { chargingHardEvaluation } from './kinds/charging-hard.ts';\n`,
    },
    { before: `  'unknown-logger': unknown`, put: `  'charging-hard': chargingHardEvaluation,\n` },
  ],
  'src/shared/domain/alerts/kinds/kind.ts': [
    { after: `export type BucketFigure = 'level' | 'speed'`, put: ` | 'amps'` },
  ],
  'src/server/alerts/candidate-ranges.store.ts': [
    {
      before: `  speed: { below: 'speed_min'`,
      put: `  amps: { below: 'charging_current_min', above: 'charging_current_max' },\n`,
    },
  ],
  'src/shared/domain/alerts/test/oracle.ts': [
    {
      before: `  speeding: ({ speed, drives }`,
      put: `  'charging-hard': ({ amps }, threshold, clear) => [amps > threshold, amps < clear],\n`,
    },
  ],
  'scripts/demo-alerts.long.test.ts': [{ after: `const NONE = ['fault'`, put: `, 'charging-hard'` }],
};

/** Example of a screen: `/voorbeeld`, a page for everyone who sees machines. */
const screen: ChangeExample = {
  'src/web/features/example/example-page.tsx': `import type { ReactNode } from 'react';
import { Page } from '#web/ui/page.tsx';

/** The page at /voorbeeld. */
export function ExamplePage(): ReactNode {
  return (
    <Page title="Voorbeeld" back="/">
      <p>Een nieuwe pagina.</p>
    </Page>
  );
}
`,
  'src/web/features/example/pages.ts': `import type { Pages } from '#web/lib/page-declaration.ts';

export const examplePages: Pages = {
  example: {
    path: '/voorbeeld',
    title: 'Voorbeeld',
    needs: 'see-machines',
    load: async () => (await import('./example-page.tsx')).ExamplePage,
  },
};
`,
  'src/web/app/pages.ts': [
    {
      before: `import { fleetMapPages }`,
      put: `import { examplePages } from '#web/features/example/pages.ts';\n`,
    },
    { before: `  ...fleetMapPages,`, put: `  ...examplePages,\n` },
  ],
};

/** The examples, by the heading of CONTRIBUTING.md that lists the files of the change. */
export const CHANGE_EXAMPLES: Readonly<Record<string, ChangeExample>> = {
  'A noun': noun,
  'A call': call,
  'A signal': signal,
  'A table': table,
  'An alert kind': alertKind,
  'A screen': screen,
};
