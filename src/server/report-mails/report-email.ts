import { composeMail, type MailMessage } from '#server/mail/mail-message.ts';
import { completenessSentences, type ReportSummary } from '#server/reports/notes.ts';
import { dutchDate } from '#shared/domain/nl.ts';
import type { Period } from '#shared/domain/periods.ts';
import { REPORTS } from '#shared/domain/reports/kinds.ts';
import { PROVISIONAL_RULE } from '#shared/domain/reports/machine-columns.ts';
import type { MailableReportKind, Rhythm } from '#shared/domain/reports/mail-rhythm.ts';

/** The content of a report mail. */
export type ReportMailContent = {
  readonly to: string;
  readonly kind: MailableReportKind;
  readonly rhythm: Rhythm;
  readonly period: Period;
  /** Display name. */
  readonly organization: string;
  /** Names of the projects that the report is limited to; undefined: not limited. */
  readonly projects: readonly string[] | undefined;
  readonly machines: readonly string[] | undefined;
  readonly labels: readonly string[] | undefined;
  /** How complete the report is. 'none': everything that it is limited to was deleted; 'unread': it is too large to read completely. */
  readonly summary: ReportSummary | 'none' | 'unread';
  /** 'too-large': larger than a mail may be; undefined: the mail has no file. */
  readonly file: MailMessage['attachment'] | 'too-large' | undefined;
  /** Address of the report's page for this period. */
  readonly page: string;
};

const HOW_OFTEN: Readonly<Record<Rhythm, string>> = { week: 'elke week', month: 'elke maand' };

/**
 * Returns the mail about a report (14.5). The subject does not name a project, because projects are often named after a place
 * (docs/privacy.md).
 * @param unsubscribe the URL that ends the subscription by a POST alone (RFC 8058)
 */
export function reportEmail(content: ReportMailContent, publicUrl: string, unsubscribe: string): MailMessage {
  const { to, kind, rhythm, period, organization, file, page } = content;
  const { title } = REPORTS[kind];
  const days = `${dutchDate(period.from)} tot en met ${dutchDate(period.to)}`;
  return {
    ...composeMail({
      to,
      subject: `${title}, ${days}`,
      paragraphs: [
        `${title} van ${organization} over ${days}.`,
        ...limits(content),
        ...stateOf(content),
        ...fileText(file),
      ],
      link: { label: 'Naar het rapport', url: page },
      footer: {
        label: `Je krijgt dit rapport ${HOW_OFTEN[rhythm]}. Zet het uit bij Mijn account`,
        url: `${publicUrl}/account/#rapporten`,
      },
    }),
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    ...(file && file !== 'too-large' && { attachment: file }),
  };
}

const limits = ({ projects, machines, labels }: ReportMailContent): string[] => [
  ...(projects?.length ? [`Projecten: ${projects.join(', ')}.`] : []),
  ...(machines?.length ? [`Machines: ${machines.join(', ')}.`] : []),
  ...(labels?.length ? [`Labels: ${labels.join(', ')}.`] : []),
];

function stateOf({ summary, projects, machines }: ReportMailContent): string[] {
  if (summary === 'unread') return ['Het is groot. Hoe volledig het is, staat onder het rapport.'];
  if (summary === 'none') {
    const gone =
      projects?.length === 0 ? 'De projecten' : machines?.length === 0 ? 'De machines' : 'De labels';
    return [`${gone} waar het over gaat, zijn er niet meer: het rapport is leeg.`];
  }
  return [...completenessSentences(summary), ...(summary.provisional > 0 ? [PROVISIONAL_RULE] : [])];
}

function fileText(file: ReportMailContent['file']): string[] {
  if (file === undefined) return [];
  return file === 'too-large'
    ? ['Het bestand is te groot om mee te sturen. Je kunt het bij het rapport downloaden.']
    : ['Het rapport zit als Excel-bestand bij deze mail.'];
}
