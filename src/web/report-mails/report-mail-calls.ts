import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReportSubscription } from '#shared/contract/report-mails.ts';
import type { MailedKind, Rhythm } from '#shared/domain/reports/mail-rhythm.ts';
import { call } from '#web/lib/api.ts';

const REPORT_MAILS = ['report-mails'] as const;

/** What one gets by mail. */
export const useReportMails = () =>
  useQuery({
    queryKey: REPORT_MAILS,
    queryFn: ({ signal }) => call('GET /api/report-mail/get', { signal }),
  });

/** Which report, limited to what: as it is chosen on its page. Empty lists: not limited. */
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

/** Resolves once the list is new as well, also when it had ended already. */
export function useUnsubscribe() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (_id: number) => call('POST /api/report-mail/unsubscribe', { body: { _id } }),
    onSettled: () => client.invalidateQueries({ queryKey: REPORT_MAILS }),
  });
}

/** Whether it is of that choice. */
export function isOf(subscription: ReportSubscription, chosen: ChosenReport): boolean {
  const same = (one: readonly unknown[] | undefined, other: readonly unknown[]) =>
    JSON.stringify([...(one ?? [])].sort()) === JSON.stringify([...other].sort());
  const { report, minutes, projects, machines, labels } = subscription;
  // What is limited to what is gone is not what is not limited.
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
