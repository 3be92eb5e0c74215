import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Alert } from '#shared/contract/alerts.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { callApi } from '#web/lib/api.ts';
import { useNote } from '#web/lib/arrival-note.ts';
import { useNow } from '#web/lib/now.ts';
import { useOpenAlerts } from '#web/machines/open-alerts.ts';
import { readQuery } from '#web/queries/read.ts';
import { useUser } from '#web/session/user.ts';
import { CardSkeletons } from '#web/ui/card-list.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { OutcomeNotice, RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { PickButtons } from '#web/ui/pick-buttons.tsx';
import { AlertCard } from './alert-card.tsx';
import {
  groupByRule,
  type HiddenAlerts,
  linkedAlertId,
  MORE_ALERTS_PER_PRESS,
  openCountText,
  urgentFirst,
} from './alert-list.ts';
import styles from './alerts-page.module.css';
import { MuteDialog } from './mute-dialog.tsx';
import { useSeenOnScreen } from './seen-on-screen.ts';

/** Interval of the page's clock: short, because the page shows ages in whole minutes. */
const CLOCK_STEP_MS = 10_000;

/** Page '/meldingen': the open and the resolved alerts. The URL selects one of the two lists, and may mark one alert. */
export function AlertsPage(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const [note, setNote] = useNote();
  const [chosen, setChosen] = useState<Alert>();
  const isClosed = search.get('staat') === 'voorbij';
  const linked = linkedAlertId(search);
  const open = useOpenAlerts();
  const user = useUser();
  const fromLink = useLinkedAlert(linked);
  const wantsMute = search.has('dempen') ? fromLink.alert : undefined;
  const muting = chosen ?? wantsMute;
  const show = (state: '' | 'voorbij'): void => setSearch(state === '' ? {} : { staat: state });
  const endMuting = (): void => {
    setChosen(undefined);
    if (wantsMute) setSearch({ melding: wantsMute._id }, { replace: true });
  };
  return (
    <Page
      title="Meldingen"
      back="/"
      action={user.isLimited ? undefined : <TextLink to="/meldingen/regels">Regels</TextLink>}
    >
      <OutcomeNotice note={note} />
      <div className="split mb-4">
        <PickButtons
          legend="Welke meldingen"
          options={[
            { label: 'Open', isPicked: !isClosed, onPick: () => show('') },
            { label: 'Voorbij', isPicked: isClosed, onPick: () => show('voorbij') },
          ]}
        />
        <TextLink to="/account#meldingen">Hoe je ze krijgt</TextLink>
      </div>
      {linked !== undefined && !isClosed && fromLink.isGone && (
        <p role="status" className="my-4 quiet">
          De melding van je link is er niet meer, of je mag die niet zien.
        </p>
      )}
      {isClosed ? (
        <Closed linked={linked} onMute={setChosen} />
      ) : (
        <>
          {fromLink.closed && (
            <AlertList
              label="De melding van je link"
              {...{ linked }}
              alerts={[fromLink.closed]}
              onMute={setChosen}
            />
          )}
          <RetryAlert
            query={open}
            fallback={open.data ? 'De meldingen zijn niet vernieuwd.' : 'De meldingen zijn niet geladen.'}
          />
          {!open.data && !open.error && <CardSkeletons />}
          {open.data?.alerts.length === 0 && <NothingOpen />}
          {open.data && open.data.alerts.length > 0 && (
            <>
              <p className="my-4 quiet">
                {openCountText(open.data.alerts, open.data.hasMore)}. Een melding blijft open tot de oorzaak
                weg is, ook als je haar hebt gezien.
              </p>
              <AlertList
                label="Open meldingen, dringende eerst"
                alerts={urgentFirst(open.data.alerts)}
                linked={linked}
                onMute={setChosen}
                folds
              />
            </>
          )}
        </>
      )}
      {muting && <MuteDialog alert={muting} onDone={setNote} onClose={endMuting} />}
    </Page>
  );
}

/** Finds the linked alert among the open ones; otherwise requests it from the resolved ones. */
function useLinkedAlert(linked: string | undefined) {
  const { data } = useOpenAlerts();
  const open = data?.alerts.find(({ _id }) => _id === linked);
  const isEnabled = linked !== undefined && data !== undefined && !open;
  const one = useQuery({
    ...readQuery('GET /api/alert/get', { query: { state: 'resolved', alert: linked ?? '0' } }),
    enabled: isEnabled,
    select: ({ alerts }) => alerts[0] ?? null,
  }).data;
  const closed = isEnabled ? (one ?? undefined) : undefined;
  return { alert: open ?? closed, closed, isGone: isEnabled && one === null };
}

const NothingOpen = (): ReactNode => (
  <EmptyState title="Er is nu niets">
    <p>Wat er gebeurt staat hier vanzelf, zodra een regel die aan staat daarvoor een reden ziet.</p>
    {!useUser().isLimited && <TextLink to="/meldingen/regels">Bekijk de regels</TextLink>}
  </EmptyState>
);

function Closed({
  linked,
  onMute,
}: {
  readonly linked: string | undefined;
  readonly onMute: (alert: Alert) => void;
}): ReactNode {
  const closed = useInfiniteQuery({
    queryKey: ['GET /api/alert/get', 'resolved'],
    queryFn: ({ pageParam: before, signal }) =>
      callApi('GET /api/alert/get', { query: { state: 'resolved', ...(before && { before }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ alerts, hasMore }) => (hasMore ? alerts.at(-1)?._id : undefined),
    // No refetch on focus, because it would load all pages of resolved alerts again.
    refetchOnWindowFocus: false,
  });
  const alerts = closed.data?.pages.flatMap((page) => page.alerts);
  return (
    <>
      {!alerts && !closed.error && <CardSkeletons />}
      {alerts?.length === 0 && (
        <EmptyState title="Er is nog niets voorbij">
          <p>Meldingen die voorbij zijn blijven hier staan.</p>
        </EmptyState>
      )}
      {alerts && alerts.length > 0 && (
        <AlertList label="Meldingen die voorbij zijn, nieuwste eerst" {...{ alerts, linked, onMute }} />
      )}
      <RetryAlert
        query={closed}
        fallback={alerts ? 'De rest is niet geladen.' : 'De meldingen zijn niet geladen.'}
      />
      {closed.hasNextPage && (
        <Button
          variant="default"
          size="md"
          aria-disabled={closed.isFetchingNextPage || undefined}
          onClick={() => closed.isFetchingNextPage || void closed.fetchNextPage()}
        >
          Toon meer
        </Button>
      )}
    </>
  );
}

const foldText = ({ ruleName, hidden }: HiddenAlerts): string =>
  hidden > MORE_ALERTS_PER_PRESS
    ? `Toon ${MORE_ALERTS_PER_PRESS} van de andere ${formatNumber(hidden)} meldingen van ‘${ruleName}’`
    : `Toon nog ${formatNumber(hidden)} van ‘${ruleName}’`;

type AlertListProps = {
  readonly label: string;
  readonly alerts: readonly Alert[];
  readonly linked: string | undefined;
  readonly onMute: (alert: Alert) => void;
  /** Whether the list first shows only some alerts of a rule that has many. */
  readonly folds?: boolean;
};

function AlertList({ label, alerts, linked, onMute, folds = false }: AlertListProps): ReactNode {
  const now = useNow(CLOCK_STEP_MS);
  const [more, setMore] = useState<ReadonlyMap<number, number>>(new Map());
  const lines = folds ? groupByRule(alerts, more, linked) : alerts.map((alert) => ({ alert }));
  const shown = lines.flatMap((line) => ('alert' in line ? [line.alert] : []));
  const { list, wasNew } = useSeenOnScreen(shown);
  const showMore = (ruleId: number): void =>
    setMore((before) => new Map(before).set(ruleId, (before.get(ruleId) ?? 0) + MORE_ALERTS_PER_PRESS));
  return (
    <ul ref={list} className="stack mb-4" aria-label={label}>
      {lines.map((line) =>
        'fold' in line ? (
          <li key={`rule ${line.fold.ruleId}`}>
            <Button
              variant="default"
              size="md"
              fullWidth
              className={styles.fold}
              onClick={() => showMore(line.fold.ruleId)}
            >
              {foldText(line.fold)}
            </Button>
          </li>
        ) : (
          <AlertCard
            key={line.alert._id}
            alert={line.alert}
            now={now}
            isNew={wasNew(line.alert)}
            isLinked={line.alert._id === linked}
            onMute={() => onMute(line.alert)}
          />
        ),
      )}
    </ul>
  );
}
