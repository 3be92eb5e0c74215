import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlantedAlerts } from '#server/alerts/test/noun.ts';
import type { PlantedLabels } from '#server/labels/test/noun.ts';
import type { PlantedProjects } from '#server/projects/test/noun.ts';
import type { PlantedTerreinen } from '#server/terreinen/test/noun.ts';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { organizationMarker } from './planted.ts';
import type { RequestParts, TestWorld } from './tested-noun.ts';
import { openWorld, stopBackgroundWork } from './world.ts';

let world: TestWorld & PlantedAlerts & PlantedLabels & PlantedProjects & PlantedTerreinen;
beforeAll(async () => {
  world = await openWorld();
  await stopBackgroundWork(world);
});
afterAll(() => world.close());

/** Pairs of names for THINGS: each names a resource of another organization, and a resource that does not exist. */
const SERIALS = ['KANARIE-ANDER-1', 'ONBEKEND-1'] as const;
const ORGANIZATIONS = [organizationMarker('ander'), 'onbekend'] as const;
const PEOPLE = [`other@${organizationMarker('ander')}.example`, 'niemand@onbekend.example'] as const;
const DAYS = { from: amsterdamDay(Date.now() - 7 * 86_400_000), to: amsterdamDay(Date.now()) };
const MAIL = { report: 'dagstaten', rhythm: 'week', minutes: 1, projects: null, machines: null };
const QUESTION = { kind: 'silent', settings: { threshold: 24 }, hours: 'always' };
const RULE = { ruleName: 'Stil', severity: 'notice', people: [], roles: [], tellsEnd: false, isOn: false };
const OWN_RULE = { ...QUESTION, ...RULE, isOwn: true };
const NO_ID = 2_000_000_000;

const foreignLabel = () => world.nextLabel('foreign');
const foreignTerrein = () => world.nextTerrein('foreign');
const foreignProject = () => world.nextProject('foreign project');

type Named = string | number;
/**
 * Tuples of a call, a function that returns a pair of resources, and a function that makes the request about one of the two. The request
 * also names a resource of the caller's own organization.
 */
const THINGS: readonly (readonly [string, () => readonly [Named, Named], (named: Named) => RequestParts])[] =
  [
    [
      'POST /api/project/assign',
      () => SERIALS,
      (serial) => ({ body: { _id: world.projectId, serial, from: '2026-01-01T00:00:00Z', until: null } }),
    ],
    ['POST /api/label/assign', () => SERIALS, (serial) => ({ body: { _id: world.labelId, serial } })],
    ['POST /api/label/unassign', () => SERIALS, (serial) => ({ body: { _id: world.labelId, serial } })],
    [
      'POST /api/label/unassign',
      () => [foreignLabel(), NO_ID],
      (_id) => ({ body: { _id, serial: world.own.serial } }),
    ],
    ['GET /api/alert/get', () => SERIALS, (serial) => ({ query: { serial: String(serial) } })],
    [
      'GET /api/alert/get',
      () => [world.foreignAlertId, '9000000000'],
      (id) => ({ query: { before: String(id) } }),
    ],
    [
      'POST /api/alert/seen',
      () => [world.foreignAlertId, '9000000000'],
      (id) => ({ body: { alerts: [id] } }),
    ],
    [
      'POST /api/alert-rule/save',
      () => SERIALS,
      (serial) => ({ body: { ...OWN_RULE, machines: { by: 'chosen', serials: [serial] } } }),
    ],
    [
      'POST /api/alert-rule/save',
      () => [foreignLabel(), NO_ID],
      (id) => ({ body: { ...OWN_RULE, machines: { by: 'labels', ids: [id] } } }),
    ],
    [
      'POST /api/alert-rule/save',
      () => [foreignProject(), NO_ID],
      (id) => ({ body: { ...OWN_RULE, machines: { by: 'projects', ids: [id] } } }),
    ],
    [
      'POST /api/alert-rule/save',
      () => [foreignTerrein(), NO_ID],
      (id) => ({ body: { ...OWN_RULE, machines: { by: 'terreinen', ids: [id] } } }),
    ],
    [
      'POST /api/alert-rule/save',
      () => PEOPLE,
      (person) => ({
        body: { ...OWN_RULE, isOwn: false, machines: { by: 'all' }, people: [person] },
      }),
    ],
    [
      'POST /api/alert-rule/preview',
      () => SERIALS,
      (serial) => ({ body: { ...QUESTION, isOwn: true, machines: { by: 'chosen', serials: [serial] } } }),
    ],
    [
      'POST /api/alert-rule/preview',
      () => [foreignLabel(), NO_ID],
      (id) => ({ body: { ...QUESTION, isOwn: true, machines: { by: 'labels', ids: [id] } } }),
    ],
    [
      'POST /api/alert-rule/preview',
      () => [foreignProject(), NO_ID],
      (id) => ({ body: { ...QUESTION, isOwn: true, machines: { by: 'projects', ids: [id] } } }),
    ],
    [
      'GET /api/report/inzet',
      () => SERIALS,
      (serial) => ({ query: { ...DAYS, machines: JSON.stringify([serial]) } }),
    ],
    [
      'GET /api/report/inzet',
      () => [foreignProject(), NO_ID],
      (id) => ({ query: { ...DAYS, projects: JSON.stringify([id]) } }),
    ],
    [
      'GET /api/report/inzet',
      () => [foreignLabel(), NO_ID],
      (id) => ({ query: { ...DAYS, labels: JSON.stringify([id]) } }),
    ],
    [
      'GET /api/report/inzet/file',
      () => [foreignLabel(), NO_ID],
      (id) => ({ query: { ...DAYS, format: 'csv', labels: JSON.stringify([id]) } }),
    ],
    [
      'POST /api/report-mail/subscribe',
      () => SERIALS,
      (serial) => ({ body: { ...MAIL, machines: [serial] } }),
    ],
    [
      'POST /api/report-mail/subscribe',
      () => [foreignProject(), NO_ID],
      (id) => ({ body: { ...MAIL, projects: [id] } }),
    ],
    [
      'POST /api/report-mail/subscribe',
      () => [foreignLabel(), NO_ID],
      (id) => ({ body: { ...MAIL, labels: [id] } }),
    ],
    ['POST /api/user/role', () => PEOPLE, (email) => ({ body: { email, role: 'kijker' } })],
    ['DELETE /api/user/delete', () => PEOPLE, (email) => ({ query: { email: String(email) } })],
    ['POST /api/user/reset-factor', () => PEOPLE, (email) => ({ body: { email } })],
    [
      'POST /api/invitation/create',
      () => PEOPLE,
      (email) => ({ body: { email, role: 'kijker', organization: organizationMarker('eigen') } }),
    ],
    [
      'POST /api/invitation/create',
      () => ORGANIZATIONS,
      (organization) => ({ body: { email: 'nieuw@nieuw.example', role: 'kijker', organization } }),
    ],
    ['GET /api/log', () => SERIALS, (machine) => ({ query: { machine: String(machine) } })],
    ['GET /api/log/csv', () => SERIALS, (machine) => ({ query: { machine: String(machine) } })],
  ];

test.each(THINGS.map((thing, n) => [n, thing[0], thing] as const))(
  'request %i, %s, gets the same answer about another organization’s resource as about an unknown one (API-02)',
  async (_, route, [, things, ask]) => {
    const [method = '', path = ''] = route.split(' ');
    const answers: unknown[] = [];
    for (const named of things()) {
      const { query, body } = ask(named);
      await world.a.portal.pool.query('delete from rate_limit');
      const answer = await world.watched.app.inject({
        method: method as 'GET',
        url: query ? `${path}?${new URLSearchParams(query)}` : path,
        headers: { ...SCRIPT_HEADERS, cookie: world.cookieOf('manager') },
        ...(body && { payload: body }),
      });
      answers.push([
        answer.statusCode,
        withoutFresh(answer.body.replaceAll(new RegExp(String(named), 'gi'), 'X')),
      ]);
    }
    expect(answers[0]).toEqual(answers[1]);
  },
);

/** Returns an answer's body without the values that differ in each answer: the id of a created row, times and a generated link. */
const withoutFresh = (body: string): string =>
  body
    .replace(/"(_id|etag|at|now)":("[^"]*"|\d+)/g, '"$1":…')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .replace(/"link":"[^"]*"/, '"link":"…"');
