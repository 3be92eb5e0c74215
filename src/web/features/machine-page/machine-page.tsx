import { type ReactNode, useState } from 'react';
import { useParams } from 'react-router';
import { useLiveEntry, useLiveState } from '#web/live/live.ts';
import { TextLink } from '#web/ui/link.tsx';
import { Page } from '#web/ui/page.tsx';
import { Screen } from '#web/ui/screen.tsx';
import { MachineDashboard } from './machine-dashboard.tsx';
import styles from './machine-page.module.css';

/** /machine/{serialNumber}: will it last, when is it full, where has it been (MDET-01 to MDET-15). */
export function MachinePage(): ReactNode {
  const { serialNumber = '' } = useParams();
  const entry = useLiveEntry(serialNumber);
  if (entry?.metadata.kind !== 'machine') return <NotThere key={serialNumber} serial={serialNumber} />;
  return <MachineDashboard key={serialNumber} entry={entry} />;
}

/** ms; an answer this young when the page opens knows every machine. */
const YOUNG_MS = 10_000;

/**
 * Live data of an earlier visit may not know a new machine: only an answer of now says that a machine does not exist.
 */
function NotThere({ serial }: { readonly serial: string }): ReactNode {
  const { dataAt = 0 } = useLiveState();
  const [openedAt] = useState(() => Date.now());
  if (dataAt < openedAt - YOUNG_MS) {
    return (
      <Page title={serial} back="/machine/">
        <div role="status">
          <p>Loading machine data...</p>
          <div className={styles.skeletons} aria-hidden="true">
            <span />
            <span />
            <span />
          </div>
        </div>
      </Page>
    );
  }
  return (
    <Screen title="Deze machine bestaat niet">
      <p>Er is geen machine met serienummer {serial}, of je mag die niet zien.</p>
      <TextLink to="/machine/">Naar de machines</TextLink>
    </Screen>
  );
}
