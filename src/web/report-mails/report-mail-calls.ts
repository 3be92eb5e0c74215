import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReportSubscription } from '#shared/contract/report-mails.ts';
import type { MailedKind, Rhythm } from '#shared/domain/reports/mail-rhythm.ts';
import { call } from '#web/lib/api.ts';

const REPORT_MAILS = ['report-mails'] as const;

/** Queries the user's subscriptions to reports by mail. */
export const useReportMails = () =>
  useQuery({
    queryKey: REPORT_MAILS,
    queryFn: ({ signal }) => call('GET /api/report-mail/get', { signal }),
  });

/** A report with the limits that are chosen on its page. An empty list does not limit. */
export type ChosenReport = {
  readonly report: MailedKind;
  readonly minutes: number;
  readonly projects: readonly number[];
  /** Serial numbers. */
  readonly machines: readonly string[];
  readonly labels: readonly number[];
};

export function useSubscribe() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ projects, machines, labels, ...wanted }: ChosenReport & { readonly rhythm: Rhythm }) =>
      call('POST /api/report-mail/subscribe', {
        body: {
          ...wanted,
          projects: projects.length > 0 ? [...projects] : null,
          machines: machines.length > 0 ? [...machines] : null,
          labels: labels.length > 0 ? [...labels] : null,
        },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: REPORT_MAILS }),
  });
}

/** Ends a subscription. Resolves after the list is refreshed, also if the subscription had already ended. */
export function useUnsubscribe() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (_id: number) => call('POST /api/report-mail/unsubscribe', { body: { _id } }),
    onSettled: () => client.invalidateQueries({ queryKey: REPORT_MAILS }),
  });
}

/** Returns whether a subscription is for the chosen report and limits. */
export function matchesChoice(subscription: ReportSubscription, chosen: ChosenReport): boolean {
  const same = (one: readonly unknown[] | undefined, other: readonly unknown[]) =>
    JSON.stringify([...(one ?? [])].sort()) === JSON.stringify([...other].sort());
  const { report, minutes, projects, machines, labels } = subscription;
  // An empty list means that everything it was limited to is deleted, not that it has no limit.
  if (projects?.length === 0 || machines?.length === 0 || labels?.length === 0) return false;
  return (
    report === chosen.report &&
    minutes === chosen.minutes &&
    same(
      projects?.map(({ _id }) => _id),
      chosen.projects,
    ) &&
    same(
      machines?.map(({ serialNumber }) => serialNumber),
      chosen.machines,
    ) &&
    same(
      labels?.map(({ _id }) => _id),
      chosen.labels,
    )
  );
}
