import type { PlantedProjects } from '#server/projects/test/noun.ts';
import { organizationMarker } from '#server/test/security/principals/planted.ts';
import {
  existingOrUnknownId,
  requestById,
  requestByName,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

/** Id of a report mail subscription of a person who makes no requests. */
type PlantedReportMail = { readonly reportMailId: number };

const REPORT_MAIL = { report: 'dagstaten', rhythm: 'week', minutes: 1, projects: null, machines: null };

export const noun: TestedNoun<PlantedReportMail, PlantedProjects> = {
  permissions: `
                                                 nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/report-mail/get                         401    200  200    200     200         200   200        200   200               401      401     200          200     200
POST /api/report-mail/subscribe                  401    200  200    200     403         200   200        200   403               401      401     403          200     403
POST /api/report-mail/subscribe (of a project)   401    200  200    200     403         200   200        404   403               401      401     403          404     403
POST /api/report-mail/unsubscribe (of another)   401    404  404    404     404         404   404        404   404               401      401     403          404     404
GET /api/organization/report-files               401    403  403    200     403         200   403        403   403               401      401     200          403     403
GET /api/organization/report-files (of another)  401    403  403    404     403         200   403        403   403               401      401     200          403     403
POST /api/organization/report-files              401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/organization/report-files (of another) 401    403  403    404     403         200   403        403   403               401      401     403          403     403
`,
  async plant({ pool, user }, { ids }) {
    const email = `rapport@${organizationMarker('eigen')}.example`;
    await user(email, ids.get('eigen') as number);
    const { rows } = await pool.query<{ id: number }>(
      `insert into report_subscription (account_id, organization_id, kind, rhythm, minutes, projects, created_at)
       select id, organization_id, 'inzet', 'week', 1, (select array_agg(id) from project), now() from account where email = $1
       returning id`,
      [email],
    );
    const id = rows[0]?.id as number;
    await pool.query(
      `insert into report_mail (subscription_id, first_day, asked_at) values ($1, current_date, now())`,
      [id],
    );
    return { reportMailId: id };
  },
  requests: {
    'POST /api/report-mail/subscribe': () => ({ body: REPORT_MAIL }),
    'POST /api/report-mail/subscribe (of a project)': (target, world) => ({
      body: { ...REPORT_MAIL, projects: [existingOrUnknownId(target, world, () => world.projectId)] },
    }),
    'POST /api/report-mail/unsubscribe (of another)': requestById((world) => world.reportMailId),
    'GET /api/organization/report-files': () => ({ query: { name: organizationMarker('eigen') } }),
    'GET /api/organization/report-files (of another)': requestByName,
    'POST /api/organization/report-files': () => ({
      body: { name: organizationMarker('eigen'), mailsReportFiles: true },
    }),
    'POST /api/organization/report-files (of another)': (...of) => ({
      body: { ...requestByName(...of).query, mailsReportFiles: true },
    }),
  },

  loggedElsewhere: {
    'POST /api/report-mail/unsubscribe': ['report-mail.unsubscribe', 'report-mails/report-mails.long'],
  },
  fields: {
    report: { good: ['inzet', 'dagstaten'], odd: ['route', 'x'] },
    rhythm: { good: ['week', 'month'], odd: ['day'] },
    mailsReportFiles: { good: [true, false] },
  },
  rules: {
    'report-mails.long.pg.test.ts > 14.5e': {
      'report-mail-same-organization':
        'A person who moved to another organization gets no report of the former one.',
    },
    'report-mails.long.pg.test.ts > 14.5h': {
      'report-subscription-own': 'A person sees only their own report subscriptions.',
    },
  },
};
