import type { Rule } from '../rule.ts';

const SCOPE = 'src/server/history/history-scope.ts';
const RANGE = 'src/server/history/range.ts';
const ENDS = 'src/server/history/cut-ends.ts';
const BANDS = 'src/server/history/bands.ts';
const CODES = 'src/server/history/code-stretches.ts';
const CALLS_TEST = ['src/server/history/history-calls.pg.test.ts'];
const MOVED_TEST = ['src/server/history/moved-stream.pg.test.ts'];
const FIGURES_TEST = ['src/server/history/figures.pg.test.ts'];

const OWN = 'segmentsOf(range, own)';
const ALWAYS = 'segmentsOf(range, [{ from: -Infinity, to: Infinity }])';

/** Whose history one reads, and from when to when (INGEST-06). */
export const history: readonly Rule[] = [
  {
    rule: "history: of one's own organization's streams",
    out: [
      [
        SCOPE,
        'and ($3::integer[] is null or w.organization_id = any ($3))',
        'and ($3::integer[] is null or true)',
      ],
    ],
    tests: CALLS_TEST,
  },
  {
    rule: 'history: of what is one’s own now',
    out: [[SCOPE, 'if (!first || !isOwnNow) throw', 'if (!first) throw']],
    tests: CALLS_TEST,
  },
  {
    rule: 'history: of the kind that one may see',
    out: [
      [
        SCOPE,
        "kinds.filter((kind) =>\n    scope.actions.has(kind === 'machine' ? 'see-machines' : 'see-loggers'),\n  )",
        '[...kinds]',
      ],
    ],
    tests: MOVED_TEST,
  },
  {
    rule: 'history: not of what was deleted',
    out: [[SCOPE, 'and s.deleted_at is null', '']],
    tests: CALLS_TEST,
  },
  {
    rule: 'history: inside the time that it was one’s own',
    out: [
      [
        RANGE,
        'from: Math.max(range.from, interval.from),\n      to: Math.min(range.to, interval.to),',
        'from: range.from,\n      to: range.to,',
      ],
    ],
    tests: CALLS_TEST,
  },
  {
    rule: 'history, path on a screen: one’s own time',
    out: [['src/server/history/screen-path.ts', OWN, ALWAYS]],
    tests: CALLS_TEST,
  },
  {
    rule: 'history, every point of a path: one’s own time',
    out: [['src/server/history/full-path.ts', OWN, ALWAYS]],
    tests: CALLS_TEST,
  },
  {
    rule: 'history, energy: one’s own time',
    out: [['src/server/history/power-back.ts', OWN, ALWAYS]],
    tests: CALLS_TEST,
  },
  {
    rule: 'history, power: one’s own time',
    out: [['src/server/history/work-power.ts', OWN, ALWAYS]],
    tests: MOVED_TEST,
  },
  {
    rule: 'history, a day: one’s own time',
    out: [['src/server/history/day-chart.ts', OWN, ALWAYS]],
    tests: MOVED_TEST,
  },
  {
    rule: 'history, the last day with data: one’s own time',
    out: [['src/server/history/last-day.ts', 'segmentsOf(range, own).reverse()', `${ALWAYS}.reverse()`]],
    tests: MOVED_TEST,
  },
  {
    rule: 'history, speed of an LMB logger: one’s own time',
    out: [['src/server/history/lmb-data.ts', 'segmentsOf(range, history.own)', ALWAYS]],
    tests: MOVED_TEST,
  },
  {
    rule: 'history, codes of an LMB logger: one’s own time',
    out: [[CODES, OWN, ALWAYS]],
    hiding: [['src/server/history/lmb-data.ts', 'segmentsOf(range, history.own)', ALWAYS]],
    tests: MOVED_TEST,
  },
  {
    rule: 'history: a bucket that another owner has a part in is not counted whole, at its beginning',
    out: [[RANGE, 'Math.max(from, own.from + MAX_GAP_MS)', 'from']],
    tests: FIGURES_TEST,
  },
  {
    rule: 'history: a bucket that another owner has a part in is not counted whole, at its end',
    out: [[RANGE, 'Math.min(to, own.to - MAX_GAP_MS)', 'to']],
    tests: FIGURES_TEST,
  },
  {
    rule: 'history: an interval that began under another owner counts for nobody',
    out: [[ENDS, 'from: Math.max(from - MAX_GAP_MS, own.from),', 'from: from - MAX_GAP_MS,']],
    tests: MOVED_TEST,
  },
  {
    rule: 'history: an interval that ends under another owner counts for nobody',
    out: [[ENDS, 'to: Math.min(to + MAX_GAP_MS + 1, own.to),', 'to: to + MAX_GAP_MS + 1,']],
    tests: FIGURES_TEST,
  },
  {
    rule: 'history: no band begins in another owner’s time',
    out: [[BANDS, 'new Date(Math.max(from - MAX_GAP_MS, own.from))', 'new Date(from - MAX_GAP_MS)']],
    tests: MOVED_TEST,
  },
  {
    rule: 'history: no band ends in another owner’s time',
    out: [[BANDS, 'new Date(Math.min(to + MAX_GAP_MS + 1, own.to))', 'new Date(to + MAX_GAP_MS + 1)']],
    tests: CALLS_TEST,
  },
  {
    rule: 'history: no code is carried over from or to another owner’s time',
    out: [
      [
        CODES,
        '{ from: Math.max(from - MAX_GAP_MS, own.from), to: Math.min(to + MAX_GAP_MS + 1, own.to) }',
        '{ from: from - MAX_GAP_MS, to: to + MAX_GAP_MS + 1 }',
      ],
    ],
    tests: MOVED_TEST,
  },
];
