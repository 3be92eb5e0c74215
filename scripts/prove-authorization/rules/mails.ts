import type { Rule } from '../rule.ts';

const SUBSCRIPTIONS = 'src/server/subscriptions/subscriptions.store.ts';
const TOKEN = 'src/server/subscriptions/unsubscribe-token.ts';
const MAILS = 'src/server/charging/charging-mails.ts';

const PRINCIPALS = ['src/server/security/principals/principals.pg.test.ts'];
const MOVED_TEST = ['src/server/history/moved-stream.pg.test.ts'];
const SUBSCRIPTIONS_TEST = ['src/server/subscriptions/subscriptions.pg.test.ts'];
const MAILS_TEST = ['src/server/charging/charging-mails.pg.test.ts'];
const PRESENT_OWNER = "join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'";
const ANY_OWNER = 'join ownership w on w.stream_id = s.id';

/** Who is mailed about which machine, and who ends that. */
export const mails: readonly Rule[] = [
  {
    rule: "subscriptions: to one's own organization's machines",
    out: [
      [
        SUBSCRIPTIONS,
        'and ($2::integer[] is null or w.organization_id = any ($2))',
        'and ($2::integer[] is null or true)',
      ],
    ],
    tests: SUBSCRIPTIONS_TEST,
  },
  {
    rule: 'subscriptions: a machine is its present owner’s',
    out: [[SUBSCRIPTIONS, PRESENT_OWNER, ANY_OWNER]],
    tests: MOVED_TEST,
  },
  {
    rule: 'subscriptions: for who may see machines',
    out: [[SUBSCRIPTIONS, "if (!rows[0] || !scope.actions.has('see-machines'))", 'if (!rows[0])']],
    tests: MOVED_TEST,
  },
  {
    rule: "subscriptions: one reads one's own",
    out: [
      [
        SUBSCRIPTIONS,
        "'select from subscription where stream_id = $1 and account_id = $2'",
        "'select from subscription where stream_id = $1 and $2::integer is not null'",
      ],
    ],
    tests: SUBSCRIPTIONS_TEST,
  },
  {
    rule: "subscriptions: one ends one's own",
    out: [
      [
        SUBSCRIPTIONS,
        "'delete from subscription where stream_id = $1 and account_id = $2'",
        "'delete from subscription where stream_id = $1 and $2::integer is not null'",
      ],
    ],
    tests: SUBSCRIPTIONS_TEST,
  },
  {
    rule: 'unsubscribing by mail: with a token that we sealed',
    out: [
      [
        TOKEN,
        '} catch {\n    return undefined;\n  }',
        "} catch {\n    text = Buffer.from(token, 'base64url').toString();\n  }",
      ],
    ],
    tests: PRINCIPALS,
    only: 'unsubscribe/:token',
  },
  {
    rule: 'unsubscribing by mail: with a token for that',
    out: [[TOKEN, `\`^\${PURPOSE} (`, '`^(?:[a-z]+ )?(']],
    tests: SUBSCRIPTIONS_TEST,
  },
  {
    rule: 'charging mail: none about another organization’s machine',
    out: [[MAILS, ' || !covers(scope, row.ownerId)', '']],
    tests: MAILS_TEST,
  },
  {
    rule: 'charging mail: a machine is its present owner’s',
    out: [[MAILS, PRESENT_OWNER, ANY_OWNER]],
    tests: MAILS_TEST,
  },
  {
    rule: 'charging mail: none to who may not see machines',
    out: [[MAILS, "!scope.actions.has('see-machines') || ", '']],
    tests: MAILS_TEST,
  },
  {
    rule: 'charging mail: none to a disabled organization',
    out: [[MAILS, 'on o.id = a.organization_id and o.is_active', 'on o.id = a.organization_id']],
    tests: MAILS_TEST,
  },
  {
    rule: 'charging mail: none of what it did before it was theirs',
    out: [[MAILS, "if (scope.organizations !== 'all' && !row.ownedThen) return undefined;", '']],
    tests: MAILS_TEST,
  },
  {
    rule: 'charging mail: none to who unsubscribed',
    out: [
      [
        MAILS,
        'join subscription u on u.stream_id = e.stream_id and u.account_id = $4\n     join account a on a.id = u.account_id',
        'join account a on a.id = $4',
      ],
    ],
    tests: MAILS_TEST,
  },
  {
    rule: 'charging mail: none about a deleted machine',
    out: [
      [
        MAILS,
        'join stream s on s.id = e.stream_id and s.deleted_at is null',
        'join stream s on s.id = e.stream_id',
      ],
    ],
    hiding: [
      [
        'src/server/subscriptions/sql/end-subscriptions.sql',
        'delete from subscription where stream_id = new.id;',
        '',
      ],
    ],
    tests: MAILS_TEST,
  },
];
