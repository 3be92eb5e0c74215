import { type ReactNode, useMemo } from 'react';
import type { LiveEntry } from '#shared/contract/live.ts';
import { may, roleOf } from '#shared/domain/access.ts';
import { batteriesOf } from '#shared/domain/battery.ts';
import { isStale } from '#shared/domain/staleness.ts';
import { useNote } from '#web/lib/arrival-note.ts';
import { useNow } from '#web/lib/now.ts';
import { useUser } from '#web/session/user.ts';
import { Outcome } from '#web/ui/outcome.tsx';
import { Page } from '#web/ui/page.tsx';
import { TextLink } from '#web/ui/text-link.tsx';
import { BatteryPanel } from './battery-panel.tsx';
import { ChargePanel } from './charge-panel.tsx';
import { HistorySection } from './history-section.tsx';
import { Identity } from './identity.tsx';
import { InfoPanel } from './info-panel.tsx';
import styles from './machine-page.module.css';
import { UnsubscribeQuestion } from './unsubscribe-question.tsx';

/** Ages are told in minutes; the live data itself comes every 5 s (MDET-15). */
const CLOCK_STEP_MS = 10_000;

/** Everything about one machine, live. */
export function MachineDashboard({ entry }: { readonly entry: LiveEntry }): ReactNode {
  const { metadata, liveData } = entry;
  const serial = metadata.serialNumber;
  const now = useNow(CLOCK_STEP_MS);
  const [note] = useNote();
  const stale = isStale(liveData.GMT_UNIX, now);
  const batteries = useMemo(() => batteriesOf(liveData, metadata.batteries), [liveData, metadata.batteries]);
  const mayEdit = may(roleOf(useUser()), 'manage-machines');
  return (
    <Page
      title={metadata.alias || serial}
      back="/machine/"
      action={mayEdit && <TextLink to={`/machine/edit/${encodeURIComponent(serial)}`}>Edit</TextLink>}
    >
      <Outcome note={note} />
      <div className={styles.dashboard}>
        <UnsubscribeQuestion serial={serial} alias={metadata.alias} />
        <Identity entry={entry} isStale={stale} now={now} />
        <div className={styles.panels}>
          <BatteryPanel serial={serial} batteries={batteries} isStale={stale} />
          <ChargePanel serial={serial} batteries={batteries} liveData={liveData} isStale={stale} now={now} />
          <InfoPanel serial={serial} macaddress={metadata.macaddress} />
        </div>
        <HistorySection
          serial={serial}
          alias={metadata.alias}
          liveData={liveData}
          isStale={stale}
          now={now}
        />
      </div>
    </Page>
  );
}
