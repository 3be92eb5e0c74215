/** Faults that are tests. `npm test` runs the short ones too. */
import type { Fault } from './fault.ts';
import { runPlaywright, runVitest } from './test-run.ts';

export const smtpGone: Fault = {
  name: 'mail server gone for an hour',
  done: 'the SMTP server refuses connections, the clock of the jobs is moved from one try to the next until an hour has passed, then it is back; two subscribers, two events, one password code',
  holds: 'exactly one mail per subscriber and event, and the code',
  run: (context) => runVitest(context, 'smtp-gone.fault.ts', { FAULT_SMTP_MINUTES: '60' }),
};

export const brokenPartition: Fault = {
  name: 'weekly partitions cannot be made',
  done: "a table in the way of this week's partition; no right to make tables; a reader that holds the table for long",
  holds:
    'no upload is refused, one warning per cause; once mended the week gets its partition and its readings by itself, and every figure is the same',
  run: (context) => runVitest(context, 'broken-partition.long.test.ts'),
};

export const clockJumps: Fault = {
  name: 'clock jumps',
  done: "the server's clock 1 hour ahead, 1 hour behind, in 1970, in 2038, minutes off, and back",
  holds:
    'readings are kept, refused (and come again) or set apart by the rules of docs/design.md section 7; live data do not depend on it; sessions last and end as they should; no mail twice, none lost',
  run: (context) => runVitest(context, 'clock.long.pg.test.ts'),
};

export const upgrade: Fault = {
  name: 'upgrade of a full database',
  done: 'a database with rows in every table gets a migration, changed functions and a signal more from a version to come, while a portal of today runs on it',
  holds:
    'every row of every table is there, the new functions are in force and the old ones gone, the portal that runs goes on: its logger reports and its people see that',
  run: (context) => runVitest(context, 'upgrade.external.pg.test.ts'),
};

export const networkLoss: Fault = {
  name: 'browser without network for a minute and an hour',
  done: 'Chromium goes offline for 60 s, and for an hour of its clock, with the map open',
  holds:
    'a banner says so, ages stay true, the newest data are there within 5 s after the network is back, nothing on the console but the network’s own words and one warning',
  run: (context) => runPlaywright(context, 'network-loss.spec.ts', { FAULT_OFFLINE_S: '60' }),
};
