import { Button } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { LiveEntry } from '#shared/contract/live.ts';
import type { MachineListEntry } from '#shared/contract/machines.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { batteriesOf } from '#shared/domain/battery.ts';
import { machineStatus } from '#shared/domain/machine-status.ts';
import { formatLastSeen } from '#shared/domain/nl.ts';
import { freshnessOf, isStale, wasEverSeen } from '#shared/domain/staleness.ts';
import { BatteryLevels } from '#web/machines/battery-levels.tsx';
import { FavouriteButton } from '#web/machines/favourite-button.tsx';
import { LabelButton } from '#web/machines/label-button.tsx';
import { LabelChips } from '#web/machines/label-chips.tsx';
import { MachinePhoto } from '#web/machines/machine-photo.tsx';
import { MachineStateLine, StatusCard } from '#web/machines/status-card.tsx';
import { useUser } from '#web/session/user.ts';
import { CardActions } from '#web/ui/card-list.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { StatusLabel } from '#web/ui/status-icon.tsx';
import styles from './machine-card.module.css';

type MachineCardProps = {
  readonly machine: MachineListEntry;
  /** Undefined for a new machine that the live data do not have yet. */
  readonly entry: LiveEntry | undefined;
  /** Hash of the photo; undefined without one, or while it is not loaded. */
  readonly photo: string | undefined;
  /** Unix ms. */
  readonly now: number;
  /** Opens the dialog that confirms the deletion; undefined if the user may not delete machines. */
  readonly onDelete: (() => void) | undefined;
};

/** Card of one machine with its present state; the whole card links to the machine's page (MLIST-01, MLIST-02). */
export function MachineCard({ machine, entry, photo, now, onDelete }: MachineCardProps): ReactNode {
  const { model, alias, brand, serialNumber, organization, cleanorg, loggerId, kenteken } = machine;
  const maySetLabels = isActionAllowed(useUser(), 'set-labels');
  const path = encodeURIComponent(serialNumber);
  const origin = [loggerId && `Logger ${loggerId}`, kenteken && `Kenteken ${kenteken}`].filter(Boolean);
  return (
    <StatusCard className={styles.card}>
      <div className={`${styles.head} gap-3 middle`}>
        <MachinePhoto serial={serialNumber} alias={alias} hash={photo} />
        <div className="tight">
          <h2 className="large" title={model}>
            <Link to={`/machine/${path}`} aria-label={`${model}, ${alias}, ${serialNumber}`}>
              {model}
            </Link>
          </h2>
          <p className={styles.alias} title={alias}>
            {alias}
          </p>
        </div>
        <FavouriteButton serial={serialNumber} alias={alias} />
      </div>
      {entry && <Now entry={entry} now={now} />}
      <p className={`${styles.line} quiet`}>
        #{serialNumber} · {brand}
      </p>
      <p className={`${styles.line} quiet`} title={cleanorg}>
        {cleanorg}
      </p>
      {origin.length > 0 && <p className={`${styles.line} quiet`}>{origin.join(' · ')}</p>}
      <div className={`${styles.labels} unless-empty`}>
        <LabelChips serial={serialNumber} />
      </div>
      {maySetLabels && (
        <CardActions>
          {onDelete && (
            <Button
              component={Link}
              to={`/machine/edit/${path}`}
              variant="default"
              size="md"
              aria-label={`Edit ${alias}`}
            >
              Edit
            </Button>
          )}
          <LabelButton serial={serialNumber} alias={alias} organization={organization} />
          {onDelete && <DeleteButton word="Delete" of={alias} onClick={onDelete} />}
        </CardActions>
      )}
    </StatusCard>
  );
}

/** Status, time last seen and batteries of a machine. */
const Now = memo(({ entry, now }: { readonly entry: LiveEntry; readonly now: number }): ReactNode => {
  const { liveData, metadata } = entry;
  const stale = isStale(liveData.GMT_UNIX, now);
  const packs = batteriesOf(liveData, metadata.batteries);
  return (
    <>
      <MachineStateLine
        status={
          <StatusLabel status={machineStatus(liveData)} sighting={freshnessOf(liveData.GMT_UNIX, now)} />
        }
        seen={wasEverSeen(liveData.GMT_UNIX) ? formatLastSeen(liveData.GMT_UNIX, now) : undefined}
      />
      {packs.length > 0 && (
        <div className={styles.batteries} data-stale={stale}>
          <BatteryLevels packs={packs} />
        </div>
      )}
    </>
  );
});
