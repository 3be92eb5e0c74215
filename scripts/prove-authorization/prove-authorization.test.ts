import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { oldestOf, pageOf, saysProved } from './page.ts';
import { bare, placeOf, type Rule, readSources, sourceOf, without } from './rule.ts';
import { RULES } from './rules.ts';

const sources = readSources('.');

test('API-02 11.11 each rule of npm run prove still stands in the source, exactly once, and taking it out changes something', () => {
  const wrong = RULES.flatMap(({ rule, out, hiding }) => {
    try {
      without(sources, out);
      without(sources, [...hiding, ...out]);
      return [];
    } catch (error) {
      return [`${rule}: ${(error as Error).message}`];
    }
  });
  expect(wrong).toEqual([]);
});

test('API-02 the tests of each rule are there, and no rule is told twice', () => {
  const files = globSync('src/**/*.test.ts').map((file) => basename(file));
  const once = (name: string) => files.filter((file) => file === name).length === 1;
  expect(RULES.filter(({ test }) => !once(test))).toEqual([]);
  const names = RULES.map(({ rule }) => rule);
  expect(new Set(names).size).toBe(names.length);
});

/** Where something is decided by a scope, or by who owns something, or streams are read whoever owns them. */
const USES_OF_A_SCOPE =
  /\bcovers\(|\bscope\.organizations\b|\{ organizations[ ,]|\bid = any \(\$1\)\)|actions\.has\(|ADMIN_ORGANIZATION\b|\bsegmentsOf\(|\bseenBy\(|\bfindHistory\(|\bEVERYTHING\b|\b(?:from|join) (?:stream|ownership)\b/g;

/** Of these nothing can be taken out, each stands there exactly once. */
const DECIDE_NOTHING = [
  // The rule is in the query or the call that they pass the scope on to.
  '{ organizations, actions, limited }: Scope, kinds',
  'export const organizationsOf = ({ organizations }: Scope) =>',
  'const keyOf = ({ organizations, positionHours, limited }: Scope): string =>',
  // Told to the page, which hides by it; the calls refuse.
  "seesRoutes: caller.scope.actions.has('see-routes'),",
  "[name, scope.organizations === 'all' ? null : scope.organizations],",
  "from ownership w join organization o on o.id = w.organization_id and o.privacy ->> 'positionDays' is not null",
  "[scope.organizations === 'all' ? null : scope.organizations, name, setting]",
  'return ( organization === ADMIN_ORGANIZATION || !OF_THE_OTHER_KIND[',
  "organization === ADMIN_ORGANIZATION ? 'technicus' : 'gebruiker';",
  'import { ADMIN_ORGANIZATION, ADMIN_ROLES, CUSTOMER_ROLES, type Member,',
  '{ organization: ADMIN_ORGANIZATION, isLmbCustomer: false, role },',
  '[...seenBy(scope, kinds), asSerial(serial)]',
  "[...seenBy(scope, ['machine']), asSerial(text)]",
  "[...seenBy(caller.scope, ['machine']), asSerial(query.serial)]",
  "b.valid_to = 'infinity'`, seenBy(EVERYTHING),",
  // The contacts of an organization that was found inside the scope.
  'left join stream s on s.id = u.stream_id where u.organization_id = $1 order by',
  // Silent machines that the reader sees, with their neighbours of the same organization.
  "from machine m join ownership w on w.stream_id = m.stream_id and w.valid_to = 'infinity' where m.stream_id = any",
  "from ownership w join stream s on s.id = w.stream_id and s.deleted_at is null and s.kind = 'machine' where w.valid_to",
  // The names of what has a work week, which an organization was asked for.
  'left join stream s on s.id = w.stream_id where w.organization_id = any ($1) order by',
  // Machines of the caller, by number.
  'from unnest($1::integer[], $2::integer[]) as o (stream_id, organization_id) join stream s on s.id = o.stream_id',
  // The portal's own questions; administrators ask the second.
  `from \${seenIn(EVERYTHING)} left join machine m`,
  `from \${seenIn(EVERYTHING)} where lower(s.serial)`,
  `select from \${seenIn(EVERYTHING)} where lower(s.alias)`,
  // Machines that a limit opens: seenIn() checks the owner again, and the conditions of the limit are rules.
  "from ownership w join stream s on s.id = w.stream_id and s.kind = 'machine' and s.deleted_at is null where w.valid_to = 'infinity' and w.organization_id = $1",
  "const seesRoutes = actions.has('see-routes');",
  "(byHand || actions.has('see-routes')))",
  'const { organizations, projects: seen, firstDay } = seenDays(scope, streamId);',
  '{ organizations, projects, firstDay }: SeenDays,',
  'type Action, ADMIN_ORGANIZATION, type LimitedScope,',
  // Which step of an empty portal is done.
  'organizations.some(({ name }) => name !== ADMIN_ORGANIZATION)',
  '[name, organizationsOf(scope), ADMIN_ORGANIZATION]',
  // Whether a person is of `admin`; who may see whom is decided in shared/domain/known-people.ts.
  `ADMIN_ORGANIZATION}'), false) as "wasStaff"`,
  "ADMIN_ORGANIZATION}') from account p",
  // Counts of machines of templates that the same query limits to the scope; machines of a template that was found in the scope.
  "order by lower(t.brand), lower(t.model), lower(o.clean), t.id`, seenBy(scope, ['machine']),",
  "order by lower(s.alias), s.serial`, [...seenBy(scope, ['machine']), id],",
  "db.query('select from stream where id = any ($1) order by id for no key update', [streamIds]);",
  // The template of a machine that was found in the scope.
  "from (select w.stream_id as id, w.organization_id from ownership w where w.stream_id = $1 and w.valid_to = 'infinity') as s join machine m",
  // Only `admin` sees both loggers and machines: this chooses the sentence of an error.
  "const isLogger = await findHistory(db, scope, serial, ['logger']).then(",
  // Whether a column says whose machine it is.
  "maintenanceFile(items, format, made, caller.scope.organizations === 'all')",
  // Calls for administrators: their gate is proved by the table of principals.
  '[...seenBy(EVERYTHING, kind && [kind])',
  "'select from stream where id = $1 and deleted_at is null for no key update'",
  'machinesNamed(db, wanted, EVERYTHING)',
  'seenBy({ ...EVERYTHING, organizations: [organizationId] }',
  "await findHistory(db, scope, serial, ['machine']); }",
  'exists (select from stream t where',
  'select from stream t join ownership n on',
  'from stream s join ownership r on',
  'select organization_id from ownership where stream_id = $1 and',
  "(db: Transaction, streamId: number) => db.query('select from stream where id = $1 for no key update', [streamId]);",
  "'select from stream where id = $1 for no key update', [streamId]); // Lock the organization",
  'from ownership where stream_id = $1 order by valid_from',
  // What rules look at, whoever owns it: which organization's rules they are, each row says; who sees it, the list does.
  'if (!standing || !covers(rule, machine)) continue;',
  '.filter((rule) => covers(rule, machine)) .map(',
  'const own = rules.filter((rule) => covers(rule, machine));',
  'asking.some((rule) => covers(rule, machine) && isAsked(weekOf(machine), rule))',
  'join stream s on s.id = n.id on conflict (stream_id) do update set time',
  "not exists ( select from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'",
  "`select s.id from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity' where s.kind",
  "from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity' join machine m on m.stream_id = s.id where",
  // Its query is in the rules above.
  'const seen = ({ scope, accountId }: Caller, now: number) => [...seenBy(scope,',
  "[...seenBy(scope, ['machine']), messageId,",
  "[...seenBy(caller.scope, ['machine']), caller.accountId, new Date(now)]",
  'select s.id, lower(s.serial) as serial from stream s join ownership w on',
  // Of a rule that the caller manages.
  "select s.serial from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity' where r.machines = 'chosen' and s.id = any (r.ids)",
  'left join ownership w on w.stream_id = g.stream_id',
  "join ownership w on w.stream_id = e.stream_id and w.valid_to = 'infinity' where e.known_at",
  "[...managedBy(caller), caller.scope.organizations === 'all', ...seenAlertsBy(",
  // Its conditions are rules above.
  "[ scope.actions.has('see-routes'), positionHoursIn(",
  'order by r.id`, [ADMIN_ORGANIZATION],',
  // Of an organization whose rules the caller may make.
  'const machines = owned.filter((machine) => covers(rule, machine));',
  `'select id, serial as "serialNumber", alias from stream where id = any ($1)',`,
  // Of the portal itself: told to administrators alone.
  "from stream s join writer w on w.stream_id = s.id and w.valid_to = 'infinity' join lateral",
  // The demo's own rules.
  'await findOrganization(client, ADMIN_ORGANIZATION)) as number;',
  // Of an alert that its reader sees.
  'select stream_id as id, extract(epoch from valid_from)::float8 * 1000 as since from ownership where stream_id = any',
  'from alert x join stream s on s.id = x.stream_id join machine m on m.stream_id = s.id where x.id = $1',
  // To the webhooks of the organization whose alert it is.
  'r.account_id is null left join stream s on s.id = x.stream_id where x.id = any',
  // Whoever sees all organizations has no rules of their own.
  "if (isOwn && caller.scope.organizations === 'all')",
  // Since when whose charges a forecast is made from.
  `select date_part('epoch', valid_from) * 1000 as "from" from ownership where stream_id = $1 and valid_to = 'infinity'`,
  // Of an organization whose project the caller has locked.
  'select stream_id as "streamId", greatest(min(valid_from), $2) as "from" from ownership',
  // Of organizations whose projects the caller was given.
  'select stream_id as id, organization_id as "organizationId" from ownership',
  // Reads owners of terreinen that the caller was given.
  'select stream_id as "streamId", organization_id as "organizationId" from ownership',
  'w.organization_id as "organizationId" from ownership w',
  'select distinct stream_id as id from ownership where organization_id',
  // The caller decides which positions the scope sees.
  'from ownership where stream_id = any ($1)`, [[...new Set(streamIds)]]',
  'from ownership w join stream s on s.id = w.stream_id where',
  // What of it is the scope's says the condition below.
  "from ownership w join stream s on s.id = w.stream_id and s.kind = 'machine' and s.deleted_at is null join machine",
  'left join ownership now on now.stream_id = s.id',
  // Whether it is told which organization a row is of.
  '{ organizations }: Scope, organization: Column<Row>,',
  // Which machine the log is told of, and in which units a report tells signals; whose machine it is decides what reads its rows.
  'return (await findHistory(pool, scope, serial, [',
  "from stream s join ownership h on h.stream_id = s.id and h.valid_to = 'infinity'",
  'select serial from stream where id = any ($1)',
  'where o.name = $1 and a.confirmed_at is not null order by a.id`, [ADMIN_ORGANIZATION]',
  // The lock under which names are given; the rules of getting in take its uses out.
  'lockNames = (client: Transaction) => lockOrganization(client, ADMIN_ORGANIZATION)',
  // What the condition is held against.
  'o.name <> $2`, [streamId, ADMIN_ORGANIZATION]',
  // The demo's own machines.
  'select from ownership where stream_id = $1 and organization_id = $2',
  // For administrators, who see every organization.
  "join stream s on s.id = w.stream_id and s.deleted_at is null join ownership n on n.stream_id = s.id and n.valid_to = 'infinity' join organization o on o.id = n.organization_id where k.retired_at is null",
  // The portal's own questions, for nobody.
  "join ownership o on o.stream_id = w.stream_id and o.valid_to = 'infinity' where w.id = k.writer_id",
  "from ownership p where p.stream_id = w.stream_id and p.valid_to <> 'infinity'",
  'from ownership group by stream_id, organization_id having count(*) > 2',
  // Statements that delete a customer or a former owner's period, for administrators (who see all organizations) and for upkeep.
  "if (name === ADMIN_ORGANIZATION) throw new ProblemError('conflict', 'De organisatie van de beheerders kan niet worden verwijderd.'); return organization;",
  "if (name === ADMIN_ORGANIZATION) throw new ProblemError('conflict', 'De organisatie van de beheerders kan niet worden verwijderd.'); const counts",
  "`select from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity' where s.id = $1",
  'from ownership w join organization o on o.id = w.organization_id left join erased_period',
  'from ownership w join organization o on o.id = w.organization_id where w.id = $1',
  'from erased_period e join ownership w on w.id = e.ownership_id where e.erased_at is null',
  'from erased_period e join ownership w on w.id = e.ownership_id where w.stream_id = $1',
  'from erased_period e join ownership p on',
  'select from ownership t where t.stream_id = s.id and t.organization_id <> $1',
  'select from ownership p where p.stream_id = f.stream_id and p.organization_id = $1',
  'select from writer w join ownership p on p.stream_id = w.stream_id where w.logger_serial = o.logger_serial',
  'select id from ownership where organization_id = $1 and stream_id = any ($2)',
  'select from ownership w where w.organization_id = $1 and not exists (select from erased_period e',
  "select from ownership w where w.stream_id = $1 and w.organization_id = $2 and w.valid_to = 'infinity'",
  'update stream set deleted_at = least(deleted_at, $2)',
  'select id from stream where id = any ($1)',
  "select id from organization where name = $1', [ ADMIN_ORGANIZATION, ])",
  '[organizationId, ADMIN_ORGANIZATION], ); return rows',
  'from stream s join ownership w on w.stream_id = s.id where w.organization_id = $1 group by s.id order by s.id',
  'valid_to::text as "to" from ownership where organization_id = $1',
  '[organizationId, ADMIN_ORGANIZATION], ); const own',
  'ADMIN_ORGANIZATION, ); /** Words of a route',
  "writer w join ownership o on o.stream_id = w.stream_id and o.valid_to = 'infinity' and w.valid_to",
  "export const ADMIN_ORGANIZATION = 'admin';",
  'EVERYTHING: Scope = scopeOf({ organizationId: 0, organization: ADMIN_ORGANIZATION,',
  'from stream s left join lateral (',
  'select s.serial, k.kind from stream s',
  'select id from stream where deleted_at is null',
  'from stream where deleted_at <= $1',
  'from stream where purged_at',
  'delete from stream where',
  "'select id from stream where lower(serial) = lower($1) and deleted_at",
  'const oneOf = ({ organizations }: Scope, list: string): string',
  "const seesAll = scope.organizations === 'all';",
  'const before = await machineDetails(client, EVERYTHING,',
  'const after = await machineDetails(client, EVERYTHING,',
  'select id from stream where lower(serial) = lower(audit.subject)',
  "select serial from stream where id = $1', [streamId]); return { subject",
  "select serial from stream where id = $1', [ streamId, ]); const data",
  'select organization_id from ownership where stream_id = $11',
  'select organization_id from ownership w where w.stream_id = audit.stream_id',
  'as names from stream',
  'from stream where lower(serial) in (lower($1), lower($2))',
  'select s.id, s.kind, s.serial from writer w join stream s on',
  'select s.serial from writer w join stream s on',
  // Calls of administrators, who see everything.
  '[streamId, organizationId, at, ADMIN_ORGANIZATION],',
  "as since from ownership where stream_id = $1 and valid_to = 'infinity'",
  'select o.clean as owner from ownership w join organization o on o.id = w.organization_id',
  'left join stream s on s.id = c.stream_id where w.stream_id = $1',
  "from writer w join stream s on s.id = w.stream_id and s.deleted_at is null join ownership n on n.stream_id = s.id and n.valid_to = 'infinity' join organization o on o.id = n.organization_id left join writer_health h",
  "from stream s join ownership n on n.stream_id = s.id and n.valid_to = 'infinity' join organization o",
  'select s.serial, l.count, l.since, l.outcome from writer w join stream s on',
  'select serial from stream s where serial = any ($1) and deleted_at is null and not exists (',
  '[ADMIN_ORGANIZATION, ADMIN_NAME, randomBytes',
  'names: [ADMIN_ORGANIZATION, ADMIN_NAME] }',
  "o.name = $1 limit 1', [ADMIN_ORGANIZATION]",
  'await hashPassword(password), ADMIN_ORGANIZATION, settings',
];

test('API-02 wherever a store uses a scope, a rule takes it out, or it is said why there is nothing to take out', () => {
  const cuts = RULES.flatMap(({ out, hiding }) => [...out, ...hiding]);
  const explained = [...cuts, ...DECIDE_NOTHING].map((cut) => placeOf(sources, cut));
  const unexplained: string[] = [];
  for (const [file, { text }] of sources)
    for (const use of text.matchAll(USES_OF_A_SCOPE)) {
      const before = text.slice(0, use.index);
      const line =
        text
          .slice(before.lastIndexOf('\n') + 1)
          .split('\n', 1)[0]
          ?.trim() ?? '';
      if (/^(import|export (async )?function|\*|\/\/|\/\*|--) /.test(line)) continue;
      const at = bare(before).length;
      if (!explained.some((one) => one.file === file && one.from <= at && at < one.to))
        unexplained.push(`${file}: ${line}`);
    }
  expect(unexplained).toEqual([]);
});

test('API-02 docs/authorization.md says of every rule that it is proved', () => {
  const page = readFileSync('docs/authorization.md', 'utf8');
  expect(RULES.filter((rule) => !saysProved(page, rule)).map(({ rule }) => rule)).toEqual([]);
});

test('a cut takes out what is in brackets, however the source is broken into lines, and a text that is not there, or twice, throws', () => {
  const made = new Map(
    Object.entries({ 'a.ts': 'if (known\n    && at < end) return;\n', 'b.ts': 'x(1); x(2);' }).map(
      ([file, text]) => [file, sourceOf(text)],
    ),
  );
  const cut = (...cuts: string[]) => [...without(made, cuts)].map(([file, { text }]) => [file, text]);
  expect(cut('if (known ⟦&& at < end⟧) ⟦return→throw⟧;')).toEqual([['a.ts', 'if (known\n    ) throw;\n']]);
  expect(cut('⟦x(1);⟧', 'x(⟦2→3⟧)')).toEqual([['b.ts', ' x(3);']]);
  expect(cut('x(2)⟦→.y⟧')).toEqual([['b.ts', 'x(1); x(2) .y ;']]);
  expect(() => cut('⟦x(⟧')).toThrow('More than once');
  expect(() => cut('⟦x(3)⟧')).toThrow('Not in the source');
  expect(() => cut('x(1)')).toThrow('nothing');
});

test('a rule that was not proved anew keeps its row, and one that no test needs says so', () => {
  const [one, two, three] = ['one', 'two | or', 'three'].map((rule) => ({ rule })) as [Rule, Rule, Rule];
  const failed = ['src/server/a.test.ts > it is refused', 'src/server/a.test.ts > so is this'];
  const files = ['src/server/a.ts'];
  const first = pageOf(
    [one, two],
    [
      { rule: one, files, failed, why: '' },
      { rule: two, files, failed, why: '' },
    ],
    new Date('2026-01-02T03:04:05Z'),
    '# Head\n\n1 of 1 rules proved.\n',
  );
  expect(first).toMatch(/^# Head\n\n2 of 2 rules proved\.\n/);
  expect(first).toContain('| one | `a.ts` | `a.test.ts`: it is refused and 1 more | yes | 2026-01-02 |');
  const proofs = [{ rule: one, files, failed: [], why: 'no test failed' }];
  const second = pageOf([one, two, three], proofs, new Date('2026-02-03T00:00:00Z'), first);
  expect(second).toContain('| one | `a.ts` | no test failed | **no** | 2026-02-03 |');
  expect(second).toContain(
    '| two \\| or | `a.ts` | `a.test.ts`: it is refused and 1 more | yes | 2026-01-02 |',
  );
  expect([one, two, three].map((rule) => saysProved(second, rule))).toEqual([false, true, false]);
  expect(oldestOf(second, [one, two, three], 2)).toEqual([three, two]);
});
