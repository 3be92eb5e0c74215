import { proved, type Rule } from '../rule.ts';

const PRINCIPALS = 'principals.pg.test.ts';

/** In the place of a caller's scope: one of every organization's streams, of every kind. */
const ofAll = (scope: string) =>
  `⟦${scope}→{ organizations: 'all', actions: new Set(['see-machines', 'see-loggers']) } as never⟧`;

/** Nor is what was known before looked at, or told. */
const BEFORE_IT_WAS_THEIRS = [
  ': ⟦Math.max(rule.validFrom, machine.ownedSince)→rule.validFrom⟧, seesBefore',
  's.organization_id = x.organization_id ⟦and s.owned_since <= x.at⟧) where b.message_id',
];

/** Which stream a scope sees (streams/scope.ts), and that each store asks for its own caller. */
export const streams: readonly Rule[] = [
  ...proved('moved-stream.pg.test.ts', {
    'a stream is its present owner’s': `from stream s join ownership w on w.stream_id = s.id ⟦and w.valid_to = 'infinity'⟧ join organization o on o.id = w.organization_id \${limit}`,
    'a stream of a kind that one may not see is not there': '⟦(kind) => actions.has(NEEDS[kind])→() => true⟧',
  }),
  ...proved('history-calls.pg.test.ts', {
    'a stream is seen by its own organization only':
      'kind = any ($1::text[]) and ($2::integer[] is null or ⟦w.organization_id = any ($2)→true⟧)',
    'a deleted stream is nobody’s': 'where ⟦s.deleted_at is null and⟧ s.kind = any',
  }),
  ...proved(`${PRINCIPALS} > GET /api/influx`, {
    'history, a path: of the caller’s scope': `LAST_DAY, query.end, now()); const history = await findHistory(db, ${ofAll('caller.scope')}`,
    'history, running hours: of the caller’s scope': `const { params, caller } = call; const history = await findHistory(db, ${ofAll('caller.scope')}`,
    'history, power: of the caller’s scope': `checkWindow(query.window); const history = await findHistory(db, ${ofAll('caller.scope')}`,
    'history, energy: of the caller’s scope': `findHistory(db, ${ofAll('caller.scope')}, params.id, ['machine', 'logger']); return answers.take(askerOf(call), () => powerBack`,
    'history, a day: of the caller’s scope': `findHistory(db, ${ofAll('caller.scope')}, params.serialNumber, ['machine']); return answers.take(askerOf(call), () => dayChart`,
    'history, charging sessions: of the caller’s scope': `findHistory(db, ${ofAll('caller.scope')}, params.serialNumber, ['machine']); return answers.take(askerOf(call), () => listSessions`,
    'history, the curve of a charging session: of the caller’s scope': `findHistory(db, ${ofAll('caller.scope')}, params.serialNumber, ['machine']); return answers.take(askerOf(call), () => chargeCurve`,
    'history, capacity: of the caller’s scope': `findHistory(db, ${ofAll('call.caller.scope')}, call.params.serialNumber, ['machine']); return answers.take(askerOf(call), () => capacityOf`,
    'history, a forecast: of the caller’s scope': `findHistory(db, ${ofAll('call.caller.scope')}, call.params.serialNumber, ['machine']); return answers.take(askerOf(call), () => forecastOf`,
    'history, days: of the caller’s scope': `findHistory(pool, ${ofAll('caller.scope')}, params.serialNumber, ['machine']); return listDays`,
    'history, charge levels that do not count: of the caller’s scope': `findHistory(pool, ${ofAll('caller.scope')}, params.serialNumber, ['machine']); const day = dayOf(query.day)`,
    'history, own signals: of the caller’s scope': `findHistory(db, ${ofAll('caller.scope')}, params.id, ['machine', 'logger']); return answers.take(askerOf(call), () => ownCourses`,
    'history, names of own signals: of the caller’s scope': `findHistory(db, ${ofAll('caller.scope')}, params.id, ['machine', 'logger']); return answers.take(askerOf(call), () => ownSignals`,
  }),
  ...proved(`${PRINCIPALS} > GET /api/machine/get`, {
    'machines: a list is of the caller’s scope': `lower(m.brand), lower(s.alias), s.serial\`, seenBy(${ofAll('scope')}, ONLY), ); return`,
    'machines: one is of the caller’s scope': `[...seenBy(${ofAll('scope')}, ONLY), asSerial(serial), scope.actions.has('manage-machines')]`,
    'machines by name: of the caller’s scope': `machinesNamed(db, named, ${ofAll('scope')})`,
  }),
  ...proved('machine-roles.pg.test.ts', {
    'machines: a reference machine is named to administrators only':
      'left join stream r on r.id = m.reference_stream_id and r.deleted_at is null and $4::boolean⟦→is not null⟧',
  }),
  ...proved('whose-files.pg.test.ts', {
    'photo and manual: of the caller’s scope': `=> [...seenBy(${ofAll('scope')}, ['machine']), asSerial(serial)];`,
  }),
  ...proved('photo-calls.pg.test.ts', {
    'photo and manual: kept for one browser only, and for who is signed in there': [
      "photo: '⟦private, no-cache→public, max-age=31536000⟧'",
      "⟦.header('vary', 'cookie')⟧",
    ],
  }),
  ...proved(`${PRINCIPALS} > GET /api/berend/get`, {
    'LMB loggers: a list is of the caller’s scope': `lower(s.organization_name), lower(s.alias), s.serial\`, seenBy(${ofAll('scope')}, ONLY)`,
    'LMB loggers: one is of the caller’s scope': `...seenBy(${ofAll('scope')}, ONLY), ...[loggerid`,
    'LMB loggers: what one recorded is of the caller’s scope': `findHistory(db, ${ofAll('scope')}, loggerid, ['logger'])`,
  }),
  ...proved('live.pg.test.ts', {
    "live: one's own organization's streams": ': ⟦covers(scope, organizationId)→true⟧;',
    'live: an answer is kept for one scope only': `\`\${organizations === 'all' ? 'all' : ⟦organizations.join()→'own'⟧} \${hoursKey`,
    'live: no time of a reading of before': 'row?.newestMs !== undefined ⟦&& row.newestMs >= ownedSince⟧',
    'live: no value of before': '⟦time >= ownedSince &&⟧ !(hours && POSITION.has(name)',
  }),
  ...proved('subscriptions.pg.test.ts', {
    'subscriptions: of the caller’s scope': `findHistory(db, ${ofAll('scope')}, serial, ['machine'])).streamId`,
    "subscriptions: one reads one's own": 'and ids[1] = $1 and ⟦account_id = $2→$2::integer is not null⟧`',
    'subscriptions: they end with the machine':
      "⟦delete from alert_rule where kind = 'charging' and ids[1] = new.id;⟧",
    'subscriptions: a sale ends those of the former owner’s people':
      "⟦delete from alert_rule r using account a, organization o where r.kind = 'charging' and r.ids[1] = new.stream_id and a.id = r.account_id and o.id = a.organization_id and a.organization_id <> new.organization_id and o.name <> 'admin';⟧",
    'unsubscribing by mail: with a token for that': `keyOf(\`token⟦ \${purpose}⟧\`)`,
    'unsubscribing by an old mail: with a token for that': '/^⟦unsubscribe →(?:[a-z]+ )?⟧(.*)$/',
  }),
  ...proved(`${PRINCIPALS} > unsubscribe/:token`, {
    'unsubscribing by mail: with a token that we sealed':
      "return secrets.readToken(CHARGING, token); } catch { ⟦return undefined;→return Buffer.from(token, 'base64url').toString();⟧",
  }),
  ...proved('charging-mails.pg.test.ts', {
    'charging mail: none to a disabled organization': {
      out: 'o.id = a.organization_id ⟦and o.is_active⟧ where m.id = $1',
      hiding: 'o.id = r.organization_id ⟦and o.is_active⟧ left join account a',
    },
    'charging mail: none of what it did before it was theirs': {
      out: 'event.knownAt > from && ⟦(seesBefore || event.from >= ownedSince)→true⟧',
      hiding: BEFORE_IT_WAS_THEIRS,
    },
    'charging mail: but to an administrator': {
      out: `⟦o.name = $1→$1::text is not null⟧ and r.kind = 'charging' as "seesAll"`,
      hiding: BEFORE_IT_WAS_THEIRS,
    },
  }),
  ...proved('charging-rules.pg.test.ts', {
    'subscriptions: the machine is named while it is seen': "or r.kind = 'charging' and ⟦$4→$4 is not null⟧)",
  }),
];
