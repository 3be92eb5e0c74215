import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { ReportAnswer } from '#shared/contract/reports.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { DEFAULT_NIGHT_HOURS } from '#shared/domain/periods.ts';
import { type Format, formatsOf, isReportKind, type ReportKind } from '#shared/domain/reports/kinds.ts';
import { isMailableReport } from '#shared/domain/reports/mail-rhythm.ts';
import { periodText, ROWS_ON_SCREEN } from '#shared/domain/reports/settings.ts';
import { useLastNight } from '#web/machines/last-night.ts';
import { readQuery } from '#web/queries/read.ts';
import { ReportMailSwitches } from '#web/report-mails/report-mail-switches.tsx';
import { useUser } from '#web/session/user.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { NotFound } from '#web/ui/screen.tsx';
import { ReportChart } from './report-chart.tsx';
import { ReportFilters } from './report-filters.tsx';
import { ReportTable, ReportTotals } from './report-table.tsx';
import {
  missingChoiceText,
  type ReportView,
  reportFileAddress,
  reportQueryOf,
  reportSearchOf,
  reportViewOf,
  titleOf,
} from './report-view.ts';
import styles from './reports.module.css';

/** Page '/rapporten/:kind' (14.4): a report with its choices, and buttons to print and download it. */
export function ReportPage(): ReactNode {
  const { kind = '' } = useParams();
  if (!isReportKind(kind)) return <NotFound what="Dit rapport" to="/rapporten" way="Naar de rapporten" />;
  return <KnownReport key={kind} kind={kind} />;
}

const FORMAT_TEXTS: Readonly<Record<Format, string>> = {
  csv: 'CSV',
  xlsx: 'Excel',
  json: 'JSON',
  gpx: 'GPX',
  parquet: 'Parquet',
};

function KnownReport({ kind }: { readonly kind: ReportKind }) {
  const user = useUser();
  const [search, setSearch] = useSearchParams();
  const [today] = useState(() => amsterdamDay(Date.now()));
  const view = reportViewOf(search, kind);
  const missing = missingChoiceText(kind, view);
  const night = useLastNight();
  const now = { today, night: night ?? DEFAULT_NIGHT_HOURS };
  const isReady = view.period !== 'afgelopen-nacht' || night !== undefined;
  const report = useQuery({
    ...readQuery('GET /api/report/:kind', { params: { kind }, query: reportQueryOf(view, now) }),
    enabled: missing === undefined && isReady,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const shown = missing === undefined ? report.data : undefined;
  const change = (next: ReportView): void =>
    setSearch(reportSearchOf(next, kind), { preventScrollReset: true, replace: true });
  return (
    <div className={styles.document}>
      <Page title={titleOf(kind)} back="/rapporten">
        <ReportFilters kind={kind} view={view} now={now} onChange={change} />
        {shown && shown.rows.length > 0 && (
          <div className={`${styles.actions} cluster gap-3 stretch mb-6`}>
            <Button size="md" onClick={() => window.print()}>
              Afdrukken
            </Button>
            {isActionAllowed(user, 'make-reports') &&
              formatsOf(kind).map((format) => (
                <Button
                  key={format}
                  component="a"
                  href={reportFileAddress(kind, view, now, format)}
                  download
                  variant="default"
                  size="md"
                >
                  {FORMAT_TEXTS[format]}
                </Button>
              ))}
          </div>
        )}
        {isMailableReport(kind) && (
          <ReportMailSwitches
            chosen={{
              report: kind,
              minutes: view.minutes,
              projects: view.projects,
              machines: view.machines,
              labels: view.labels,
            }}
          />
        )}
        <RetryAlert query={report} fallback="Het rapport is niet geladen." />
        {missing !== undefined && <EmptyState title={missing} />}
        {missing === undefined && !shown && !report.error && (
          <p className="my-4" role="status">
            Het rapport wordt gemaakt
          </p>
        )}
        {shown && (
          <div aria-busy={report.isPlaceholderData} className={styles.report}>
            {shown.rows.length === 0 ? (
              <NothingThere kind={kind} />
            ) : (
              <WholeReport kind={kind} report={shown} />
            )}
          </div>
        )}
      </Page>
    </div>
  );
}

function WholeReport({ kind, report }: { readonly kind: ReportKind; readonly report: ReportAnswer }) {
  return (
    <>
      <p className="cluster gap-2-4 stretch mb-3">
        <strong>{report.organization}</strong>
        <span>{periodText(report)}</span>
      </p>
      <ReportTotals report={report} />
      <ReportChart report={report} />
      <ReportTable report={report} />
      {report.isCut && (
        <p className="mt-3">
          Hier staan de eerste {formatNumber(ROWS_ON_SCREEN)} rijen. Het bestand heeft ze alle
          {report.totals && '; de totalen zijn die van alle rijen'}.
        </p>
      )}
      <ul className={`${styles.notes} stack gap-1 mt-4 quiet`} aria-label="Bij dit rapport">
        {report.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      {kind === 'inzet' && (
        <div className={styles.signature}>
          <span>Naam</span>
          <span>Datum</span>
          <span>Handtekening</span>
        </div>
      )}
    </>
  );
}

/** Shown for an empty report, with what the user can do. */
function NothingThere({ kind }: { readonly kind: ReportKind }) {
  const projects = useQuery(readQuery('GET /api/project/get')).data;
  if (kind === 'inzet' && projects?.length === 0)
    return (
      <EmptyState title="Nog geen projecten">
        <p>
          Dit rapport telt de inzet op projecten.{' '}
          <Link to="/projecten">Teken eerst een project op de kaart.</Link>
        </p>
      </EmptyState>
    );
  return (
    <EmptyState title="Niets in deze periode">
      <p>Kies een langere periode, of andere projecten en machines.</p>
    </EmptyState>
  );
}
