import type { ReportSubscription } from '#shared/contract/report-mails.ts';
import type { MailableReportKind } from '#shared/domain/reports/mail-rhythm.ts';

/** A report with the limits that are chosen on its page. An empty list does not limit. */
export type ChosenReport = {
  readonly report: MailableReportKind;
  readonly minutes: number;
  readonly projects: readonly number[];
  /** Serial numbers. */
  readonly machines: readonly string[];
  readonly labels: readonly number[];
};

/** Returns whether a subscription is for the chosen report and limits. */
export function matchesChoice(subscription: ReportSubscription, chosen: ChosenReport): boolean {
  const same = (one: readonly unknown[] | undefined, other: readonly unknown[]) =>
    JSON.stringify([...(one ?? [])].sort()) === JSON.stringify([...other].sort());
  const { report, minutes, projects, machines, labels } = subscription;
  // An empty list in a subscription means that everything to which it was limited has been deleted, not that it
  // has no limit.
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
