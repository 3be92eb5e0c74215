import { defineConfig } from 'vitest/config';
import { hasExternal } from './src/server/test/external-programs.ts';

/** What touches SQL that could differ between PostgreSQL versions, and what several processes share. */
const EXTERNAL = [
  'src/server/test/faults/upgrade.pg.test.ts',
  'src/server/history/{day-chart,figures,history-calls,lmb-data,path}.pg.test.ts',
  'src/server/live/live.pg.test.ts',
  'src/server/machines/delete-machine.pg.test.ts',
  'src/server/telemetry/{binary-array,counters,write-queue,latest,log-objects,log-uploads}.pg.test.ts',
  'src/server/telemetry/{moving-loggers,partitions,readings.store,snapshot-uploads,weeks}.pg.test.ts',
  'src/server/{rights,schema,upkeep}.pg.test.ts',
];

/** Of what starts many processes or waits long once is enough: there, and where there is none, here. */
const EXTERNAL_ONLY = ['src/server/two-portals.pg.test.ts'];
/** The same, and takes longest. */
const EXTERNAL_LONG = [
  'src/server/alerts/charging-watch.pg.test.ts',
  'src/server/backup/{older-backup,restore}.pg.test.ts',
  'src/server/test/faults/migrations.pg.test.ts',
];

/** What takes a quarter of the server tests' time, in `npm run test:long` alone: of each subject there are others in `npm test`. */
const SERVER_LONG = [
  'src/server/alerts/{alerts-obey-privacy,canedge-live,charging-mails,charging-rules,limited-alerts,moved-alerts,operator-rules,operators,presence-watch,preview,terrein-alerts,urgent-alerts}.pg.test.ts',
  'src/server/auth/{login-limits,obligatory-factor,passkeys,password-reset,registration,reset-link,second-factor}.pg.test.ts',
  'src/server/backup/{restore-shards,scheduled-backups}.pg.test.ts',
  'src/server/day-figures/count-days.pg.test.ts',
  'src/server/definitions/dbc-upload.pg.test.ts',
  'src/server/demo/seed.pg.test.ts',
  'src/server/history/{figures,positions,range-sums,turns}.pg.test.ts',
  'src/server/leaving/{former-periods,leaving-others}.pg.test.ts',
  'src/server/log-files/{canedge-card,decode-again,old-readings,unread-files}.pg.test.ts',
  'src/server/log-quotas.pg.test.ts',
  'src/server/machine-files/{manual-calls,photo-calls,whose-files}.pg.test.ts',
  'src/server/machines/{at-once,names}.pg.test.ts',
  'src/server/oidc/oidc-{accounts,newcomers,sign-in}.pg.test.ts',
  'src/server/organizations/registration-modes.pg.test.ts',
  'src/server/projects/limited-people.pg.test.ts',
  'src/server/push/push.pg.test.ts',
  'src/server/redecoding/redecoding.pg.test.ts',
  'src/server/report-mails/report-mails.pg.test.ts',
  'src/server/reports/{charging-costs,one-sum,unused-positions}.pg.test.ts',
  'src/server/rights.pg.test.ts',
  'src/server/telemetry/dm1/stored-dm1.pg.test.ts',
  'src/server/telemetry/{bad-log-files,log-load,log-objects,multipart-uploads,one-drive,other-loggers-files}.pg.test.ts',
  'src/server/telemetry/{readings.store,recorded-drive-upload,rxd-uploads}.pg.test.ts',
  'src/server/test/faults/clock.pg.test.ts',
  'src/server/test/security/{ids-of-customers,names-of-others}.pg.test.ts',
  'src/server/test/security/principals/{cache-age,lost-rights,named-things}.pg.test.ts',
  'src/server/two-roles.pg.test.ts',
  'src/server/users/removing-each-other.pg.test.ts',
  'src/server/writers/{logger-events,sold-logger}.pg.test.ts',
];

const ABSENT = ['src/server/test/external-postgres.absent.ts'];

/** Of what takes some seconds, on a machine that is a tenth as fast: nothing waits for it that goes well. */
const SLOW_MS = 180_000;

/** Of expect.poll, which gives up after 1 s by itself: what takes 10 ms takes seconds on a busy machine. */
const PATIENT = { poll: { timeout: 10_000 } };

const SETUP = ['src/server/test/fixed-seed.ts'];
/** Server tests also check every row of the log and every answer that they cause. */
const SERVER_SETUP = [...SETUP, 'src/server/test/logged-words.ts', 'src/server/test/answered-words.ts'];

const external = (name: string, include: string[], workers: object) => ({
  test: {
    name,
    setupFiles: SERVER_SETUP,
    // The rules are no database's: a few random machines show that its arithmetic is the same.
    env: { ORACLE_SEEDS: '3' },
    include: hasExternal() ? include : ABSENT,
    globalSetup: ['src/server/test/external-postgres.ts'],
    expect: PATIENT,
    testTimeout: SLOW_MS,
    hookTimeout: SLOW_MS,
    isolate: false,
    ...workers,
  },
});

const server = (name: string, include: string[], exclude: string[], workers: object) => ({
  test: {
    name,
    setupFiles: SERVER_SETUP,
    // What the rules say of more of them, `unit` holds against the oracle.
    env: { ORACLE_SEEDS: process.env.ORACLE_SEEDS ?? '4' },
    include,
    exclude,
    globalSetup: ['src/server/test/postgres.ts'],
    expect: PATIENT,
    testTimeout: SLOW_MS,
    hookTimeout: SLOW_MS,
    isolate: false,
    ...workers,
  },
});

/**
 * unit: pure, no database. server: the real application on a real PostgreSQL (a database per file).
 * server-external: part of that on a PostgreSQL that is not ours, as a customer has it. long, long-server, long-external: more of each.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: SETUP,
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['{src,scripts}/**/*.{pg,long}.test.ts'],
          // One process and its modules for many files: loading them again for each took as long as the tests.
          pool: 'forks',
          isolate: false,
          // Without it, one less than there are cores.
          maxWorkers: 2,
          unstubGlobals: true,
          restoreMocks: true,
          // On a busy machine what takes 50 ms takes seconds.
          expect: PATIENT,
          testTimeout: 20_000,
        },
      },
      server(
        'server',
        ['src/**/*.pg.test.ts'],
        [...SERVER_LONG, ...(hasExternal() ? [...EXTERNAL_ONLY, ...EXTERNAL_LONG] : [])],
        // More than cores: much of it waits, for processes that start and stop and for mails. After those of `unit`, which has as many
        // as there are cores.
        { maxWorkers: 4, sequence: { groupOrder: 1 } },
      ),
      server('long-server', SERVER_LONG, [], { maxWorkers: 4, sequence: { groupOrder: 2 } }),
      // What takes long, most of it processes that are killed: no part of `npm test` (npm run test:long).
      {
        test: {
          name: 'long',
          setupFiles: SETUP,
          include: ['{src,scripts}/**/*.long.test.ts'],
          globalSetup: ['src/server/test/postgres.ts'],
          expect: PATIENT,
          testTimeout: SLOW_MS,
          hookTimeout: SLOW_MS,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
          isolate: false,
        },
      },
      external('server-external', EXTERNAL_ONLY, { maxWorkers: 4, sequence: { groupOrder: 1 } }),
      // The rest of it, which our own PostgreSQL runs in `npm test`.
      external('long-external', [...EXTERNAL, ...EXTERNAL_LONG], {
        maxWorkers: 2,
        sequence: { groupOrder: 4 },
      }),
    ],
  },
});
