import { proved, type Rule } from '../rule.ts';

const OWN = '⟦own→[{ from: -Infinity, to: Infinity }]⟧';

/** Of a stream that one sees, from when to when one reads its history (INGEST-06). */
export const history: readonly Rule[] = [
  ...proved('privacy.pg.test.ts', {
    'routes: of the roles that the organization says':
      "if (⟦!seesRoutes(role, privacy)→false⟧) actions.delete('see-routes');",
    'routes: a kijker sees working hours only, if the organization says so':
      'if (⟦!positionHours→positionHours !== null⟧) return history;',
    'live: a kijker sees positions of working hours only':
      'time >= ownedSince && !(hours && POSITION.has(name) && ⟦!isWorkingTime(hours, time)→false⟧);',
    'live: what one scope sees is not sent to another': `⟦\${hoursKey(positionHours)}→⟧\${limited`,
    'privacy: a beheerder decides for its own organization':
      'where name = $1 and ($2::integer[] is null or ⟦id = any ($2)→true⟧) $',
  }),
  ...proved('lmb-data.pg.test.ts', {
    'routes, of an LMB logger: of the roles that see them':
      "⟦scope.actions.has('see-routes')→true⟧ ? screenPath(",
    'routes, of an LMB logger: a kijker sees working hours only':
      'screenPath(db, ⟦withPositions(scope, history, range)→history⟧, range) : []',
  }),
  ...proved('history-calls.pg.test.ts', {
    'history: the times at which it was one’s own': `from \${seenIn(scope)} join ownership w on w.stream_id = s.id and ($2::integer[] is null or ⟦w.organization_id = any ($2)→true⟧) where`,
    'history: inside the time that it was one’s own':
      'from: ⟦Math.max(range.from, interval.from)→range.from⟧, to: ⟦Math.min(range.to, interval.to)→range.to⟧,',
    'history, path on a screen: one’s own time': `segmentsOf(range, ${OWN}); const [points`,
    'history, every point of a path: one’s own time': `segmentsOf(range, ${OWN}); const packsAt`,
    'history, hours, power and energy: one’s own time': `segmentsOf(range, ${OWN}).map((segment) => segmentParts`,
  }),
  ...proved('moved-stream.pg.test.ts', {
    'history, a day: one’s own time': `segmentsOf(range, ${OWN}); const sums`,
    'history, the last day with data: one’s own time': `segmentsOf(range, ${OWN}).reverse()`,
    'history, speed and codes of an LMB logger: one’s own time':
      'segmentsOf(range, ⟦history.own→[{ from: -Infinity, to: Infinity }]⟧)',
    'history: no code is carried over from or to another owner’s time':
      'from: ⟦Math.max(from - MAX_GAP_MS, own.from)→from - MAX_GAP_MS⟧, to: ⟦Math.min(to + MAX_GAP_MS, own.to)→to + MAX_GAP_MS⟧,',
  }),
  ...proved('charging-sessions.pg.test.ts', {
    'history, charging sessions: one’s own time': `segmentsOf(range, ${OWN}), MOST + 1`,
    'history, the place of a charging session: of who may see where the machine was then':
      'const seesPlace = ⟦seesPlaceAt(scope, session.from)→true⟧; const place',
    'history, the curve of a charging session: one’s own time':
      'segmentsOf({ from: start, to: start + 1 }, ⟦own→[{ from: -Infinity, to: Infinity }]⟧), 1, start, ); const owned = ⟦own→[{ from: -Infinity, to: Infinity }]⟧.find(',
    'history, capacity: one’s own time':
      'const ranges = segmentsOf({ from: now - DAYS * DAY_MS, to: now }, ⟦own→[{ from: -Infinity, to: Infinity }]⟧); const sessions = (await',
    'history, how forecasts held: one’s own time':
      'const ranges = segmentsOf({ from: now - DAYS * DAY_MS, to: now }, ⟦own→[{ from: -Infinity, to: Infinity }]⟧); const sessions = await',
    'history, a forecast: from the charges of its owner':
      'const range = { from: ⟦Math.max(since, now - DAYS * DAY_MS)→now - DAYS * DAY_MS⟧, to: now };',
    'history, days: the organization’s own':
      'project_id = any ($4) and ($3::integer[] is null or ⟦organization_id = any ($3)→true⟧) and ($5::date is null or day >= $5::date)',
  }),
  ...proved('transports.pg.test.ts', {
    'history, transports: of the caller’s scope':
      "findHistory(db, ⟦caller.scope→{ ...caller.scope, organizations: 'all' }⟧, params.serialNumber, ['machine']); return answers.take(askerOf(call), () => transportsIn",
    'history, transports: one’s own time': `segmentsOf(around, ${OWN}).flatMap(`,
    'history, the places of a transport: of who may see where the machine was then': [
      'const begin = ⟦seesPlaceAt(scope, transport.from)→true⟧ ?',
      'const end = ⟦seesPlaceAt(scope, transport.to)→true⟧ ?',
    ],
  }),
  ...proved('route-speeds.pg.test.ts', {
    'history, speeds: of the caller’s scope':
      "findHistory(db, ⟦caller.scope→{ ...caller.scope, organizations: 'all' }⟧, params.serialNumber, ['machine']); await looks.note(call, history.streamId, range); const seen = withPositions(caller.scope, history, range); return answers.take(askerOf(call), async () => speedsAnswer",
    'history, speeds: one’s own time':
      'segmentsOf(range, ⟦seen.own→[{ from: -Infinity, to: Infinity }]⟧)) { const found',
  }),
  ...proved('own-signals.pg.test.ts', {
    'history, own signals: one’s own time': `segmentsOf(range, ${OWN}); // Behind`,
    'history, names of own signals: one’s own time':
      'time >= since && ⟦own.some(({ from, to }) => from <= time && time < to)→true⟧',
  }),
  ...proved('figures.pg.test.ts', {
    'history: a bucket that another owner has a part in is not counted whole, at its beginning':
      'ceil(⟦Math.max(from, own.from + 2 * MAX_GAP_MS)→from⟧',
    'history: a bucket that another owner has a part in is not counted whole, at its end':
      'floor(⟦Math.min(to, own.to - MAX_GAP_MS)→to⟧',
    'history: what began under another owner counts for nobody':
      'return { from: ⟦Math.max(from, own.from)→from⟧,',
    'history: what ends under another owner counts for nobody': 'to: ⟦Math.min(to, own.to)→to⟧ };',
  }),
];
