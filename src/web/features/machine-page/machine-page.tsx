import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useParams } from 'react-router';
import type { LiveEntry } from '#shared/contract/live.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { batteriesOf } from '#shared/domain/battery.ts';
import { isStale } from '#shared/domain/staleness.ts';
import { useNote } from '#web/lib/arrival-note.ts';
import { useBackLink } from '#web/lib/back-link.ts';
import { contactPath } from '#web/lib/contact-path.ts';
import { useNow } from '#web/lib/now.ts';
import { ownWeekPath } from '#web/lib/own-week-path.ts';
import { useLiveEntry, useLiveState } from '#web/live/live.ts';
import { FavouriteButton } from '#web/machines/favourite-button.tsx';
import { MachineAlerts } from '#web/machines/machine-alerts.tsx';
import { NavigateButton } from '#web/machines/navigate-button.tsx';
import { usePresentPlace } from '#web/machines/place-names.ts';
import { useUser } from '#web/session/user.ts';
import { TextLink } from '#web/ui/link.tsx';
import { OutcomeNotice } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { NotFound } from '#web/ui/screen.tsx';

import { BatteryPanel } from './battery-panel.tsx';
import { ChargePanel } from './charge-panel.tsx';
import { UnsubscribeDialog } from './charging-mails.tsx';
import { DayTotals } from './day-totals.tsx';
import { HistorySection } from './history-section.tsx';
import { Identity } from './identity.tsx';
import { InfoPanel } from './info-panel.tsx';
import styles from './machine-page.module.css';
import { Section, Sections } from './section.tsx';
import { SignalNotice } from './signal-notice.tsx';
import { TableOfContents } from './table-of-contents.tsx';
import { LoadWhenNear } from './when-near.tsx';

const Days = lazy(async () => ({ default: (await import('./days-panel.tsx')).DaysPanel }));
const Faults = lazy(async () => ({ default: (await import('./faults-panel.tsx')).FaultsPanel }));
const Maintenance = lazy(async () => ({
  default: (await import('./maintenance-panel.tsx')).MaintenancePanel,
}));
const Sessions = lazy(async () => ({ default: (await import('./sessions-panel.tsx')).SessionsPanel }));

/** Page '/machine/{serialNumber}': the state and history of one machine (MDET-01 to MDET-15). */
export function MachinePage(): ReactNode {
  const { serialNumber = '' } = useParams();
  const entry = useLiveEntry(serialNumber);
  if (entry?.metadata.kind !== 'machine') return <MissingMachine key={serialNumber} serial={serialNumber} />;
  return <MachineDashboard key={serialNumber} entry={entry} />;
}

/** Live data that are at most this old when the page opens count as complete. */
const FRESH_MS = 10_000;

/**
 * Page of an unknown machine. Live data of an earlier visit may lack a new machine, so only a fresh response
 * shows that a machine does not exist.
 */
function MissingMachine({ serial }: { readonly serial: string }): ReactNode {
  const { dataAt = 0 } = useLiveState();
  const [openedAt] = useState(() => Date.now());
  if (dataAt < openedAt - FRESH_MS) {
    return (
      <Page title={serial} back="/machine/">
        <div role="status">
          <p className="my-4">Loading machine data...</p>
          <div className={`${styles.skeletons} stack gap-4`} aria-hidden="true">
            <span />
            <span />
            <span />
          </div>
        </div>
      </Page>
    );
  }
  return (
    <NotFound what="Deze machine" to="/machine/" way="Naar de machines">
      Er is geen machine met serienummer {serial}, of je mag die niet zien.
    </NotFound>
  );
}

/** Interval of the page's clock, which shows ages in whole minutes; live data arrive every 5 s (MDET-15). */
const CLOCK_STEP_MS = 10_000;

/** The sections about one machine, live. */
function MachineDashboard({ entry }: { readonly entry: LiveEntry }): ReactNode {
  const place = usePresentPlace(entry);
  const { metadata, liveData } = entry;
  const serial = metadata.serialNumber;
  const now = useNow(CLOCK_STEP_MS);
  const [note] = useNote();
  const stale = isStale(liveData.GMT_UNIX, now);
  const batteries = useMemo(() => batteriesOf(liveData, metadata.batteries), [liveData, metadata.batteries]);
  const state = { serial, liveData, isStale: stale, now };
  const user = useUser();
  const named = encodeURIComponent(serial);
  const wayBack = useBackLink('/machine/');
  return (
    <div className={styles.document}>
      <Page
        title={metadata.alias || serial}
        back={wayBack.to}
        onBack={wayBack.onClick}
        action={
          <div className={`${styles.actions} cluster gap-x-4`}>
            <FavouriteButton serial={serial} alias={metadata.alias || serial} />
            {!user.isLimited && <TextLink to={`/vergelijk?machine=${named}`}>Vergelijk met…</TextLink>}
            <NavigateButton entry={entry} />
            {isActionAllowed(user, 'see-log') && (
              <TextLink to={`/logboek?machine=${named}`}>Logboek</TextLink>
            )}
            {isActionAllowed(user, 'manage-users') && (
              <TextLink to={ownWeekPath(metadata.organization, 'machine', serial)}>Werkweek</TextLink>
            )}
            {isActionAllowed(user, 'manage-alerts') && (
              <TextLink to={contactPath(metadata.organization, 'machine', serial)}>Contact</TextLink>
            )}
            {isActionAllowed(user, 'manage-machines') && (
              <TextLink to={`/machine/edit/${named}`}>Wijzig</TextLink>
            )}
          </div>
        }
      >
        <OutcomeNotice note={note} />
        <Sections>
          <div className={`${styles.columns} stack gap-4 top`}>
            <TableOfContents />
            <div className="panels">
              <UnsubscribeDialog serial={serial} alias={metadata.alias} />
              <MachineAlerts serial={serial} now={now} />
              <SignalNotice serial={serial} now={now} />
              <Identity entry={entry} now={now} />
              <div className={`${styles.panels} stack gap-4`}>
                <BatteryPanel {...state} batteries={batteries} />
                <ChargePanel {...state} batteries={batteries} />
                <DayTotals serial={serial} now={now} />
              </div>
              {/* Maintenance includes hours before the period that a limited user may see. */}
              {!user.isLimited && (
                <Suspense fallback={<Section id="onderhoud" title="Onderhoud" />}>
                  <Maintenance serial={serial} />
                </Suspense>
              )}
              <InfoPanel serial={serial} macaddress={metadata.macaddress} />
              <HistorySection {...state} alias={metadata.alias} place={place} />
              {/* Most machines have no panel of faults, so it gets no placeholder. */}
              <Suspense fallback={null}>
                <Faults serial={serial} />
              </Suspense>
              <LoadWhenNear id="dagen" title="Dagen">
                <Days serial={serial} />
              </LoadWhenNear>
              <LoadWhenNear id="laadbeurten" title="Laadbeurten">
                <Sessions serial={serial} />
              </LoadWhenNear>
            </div>
          </div>
        </Sections>
      </Page>
    </div>
  );
}
