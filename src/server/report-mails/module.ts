import type { Caller } from '#server/auth/sessions.ts';
import type { Mailer } from '#server/mail/mail.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Module, ServiceOpener, SharedServices } from '#server/platform/module.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { ReportThread } from '#server/reports/report-thread.ts';
import { changeReportAttachmentSetting, readReportAttachmentSetting } from './report-files.ts';
import {
  expireReportMails,
  type ReportMails,
  reportUnsubscribeToken,
  startReportMails,
} from './report-mails.ts';
import {
  endReportSubscription,
  listReportSubscriptions,
  subscribeToReport,
  unsubscribeFromReport,
} from './report-subscriptions.store.ts';

const ENDED = 'Je krijgt dit rapport niet meer per mail.';

/** Registers the calls about reports by mail (14.5). `now` returns the time in ms. */
export const reportMails: Module<
  Caller,
  { readonly pool: Pool; readonly secrets: Secrets; readonly now: () => number }
> &
  ServiceOpener<
    SharedServices & { readonly mail: Mailer; readonly reportThread: ReportThread },
    { readonly reportMails: ReportMails }
  > = {
  open: async ({ reportThread, ...shared }) => ({
    reportMails: await startReportMails({ ...shared, files: reportThread }),
  }),
  topics: {
    'report-mail': {
      title: 'Rapporten per mail',
      about: 'Welke rapporten iemand elke week of maand per mail krijgt.',
    },
  },
  routes: (serve, { pool, now }) => {
    serve('GET /api/report-mail/get', ({ caller }) => listReportSubscriptions(pool, caller));

    serve('POST /api/report-mail/subscribe', async ({ caller, body }) => ({
      _id: await subscribeToReport(pool, caller, body, new Date(now())),
      message:
        body.rhythm === 'week'
          ? 'Je krijgt dit rapport elke maandag om half zeven per mail.'
          : 'Je krijgt dit rapport elke eerste van de maand om half zeven per mail.',
    }));

    serve('POST /api/report-mail/unsubscribe', async ({ caller, body: { _id } }) => {
      await unsubscribeFromReport(pool, caller, _id);
      return { message: ENDED };
    });

    serve('GET /api/organization/report-files', ({ caller, query: { name } }) =>
      readReportAttachmentSetting(pool, caller.scope, name),
    );
    serve('POST /api/organization/report-files', ({ caller, body: { name, mailsReportFiles } }) =>
      changeReportAttachmentSetting(pool, caller, name, mailsReportFiles),
    );
  },
  oneClick: ({ pool, secrets }) => ({
    isOf: (token) => reportUnsubscribeToken.read(secrets, token) !== undefined,
    async end(token) {
      await endReportSubscription(pool, reportUnsubscribeToken.read(secrets, token) ?? 0);
      return ENDED;
    },
    page: () => '/account/#rapporten',
  }),
  periodic: [['old reports by mail', expireReportMails]],
};
