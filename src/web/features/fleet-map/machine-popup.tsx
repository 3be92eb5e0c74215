import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { LiveData, LiveEntry } from '#shared/contract/live.ts';
import { showsPresentPosition } from '#shared/domain/alerts/kinds.ts';
import { batteriesOf } from '#shared/domain/battery.ts';
import { machineStatus } from '#shared/domain/machine-status.ts';
import { ageText, formatLastSeen, formatNumber } from '#shared/domain/nl.ts';
import { positionOf } from '#shared/domain/position.ts';
import { freshnessOf } from '#shared/domain/staleness.ts';
import { MachineContact } from '#web/machines/contact-call.tsx';
import { FavouriteButton } from '#web/machines/favourite-button.tsx';
import { useMachineFigure } from '#web/machines/fleet-figures.ts';
import { LabelChips } from '#web/machines/label-chips.tsx';
import { LastKnown } from '#web/machines/last-known.tsx';
import { MachineAlerts } from '#web/machines/machine-alerts.tsx';
import { NavigateButton } from '#web/machines/navigate-button.tsx';
import { useAlertsOf } from '#web/machines/open-alerts.ts';
import { usePresentPlaceName } from '#web/machines/place-names.ts';
import { BatteryBars } from '#web/ui/battery-bars.tsx';
import { StatusLabel } from '#web/ui/status-icon.tsx';
import { machineTimeLeft } from './machine-facts.ts';
import styles from './machine-popup.module.css';

/**
 * If the position is this much older than the newest reading, the popup also shows the age of the position, on a
 * separate line.
 */
const POSITION_LAGS_AFTER_S = 60;

type MachinePopupProps = {
  readonly entry: LiveEntry;
  /** Path of the machine's page. */
  readonly to: string;
  readonly now: number;
  /** Number of machines at this spot, this one included. */
  readonly atSpot: number;
  /** Shows the list of machines at this spot. */
  readonly onShowSpot: () => void;
};

/** Popup at the marker of one machine (MAP-05, MAP-06). */
export function MachinePopup({ entry, to, now, atSpot, onShowSpot }: MachinePopupProps): ReactNode {
  const { metadata, liveData } = entry;
  const sighting = freshnessOf(liveData.GMT_UNIX, now);
  const makeAndModel = [metadata.brand, metadata.model].filter(Boolean).join(' ');
  // Shows the alerts of a machine that moved outside working hours near the top of the popup, because they are urgent.
  const isMoved = useAlertsOf(metadata.serialNumber).some(({ kind }) => showsPresentPosition(kind));
  const alerts = metadata.kind === 'machine' && (
    <MachineAlerts serial={metadata.serialNumber} now={now} isTight />
  );
  const contact = metadata.kind === 'machine' && <MachineContact serial={metadata.serialNumber} isTight />;
  return (
    <article className={`${styles.popup} stack gap-2`} data-stale={sighting !== 'fresh'}>
      <h2 className="pr-8 large bold">{metadata.alias}</h2>
      {metadata.kind === 'machine' && (
        <div className={`${styles.marks} row gap-1`}>
          <FavouriteButton serial={metadata.serialNumber} alias={metadata.alias} />
          <LabelChips serial={metadata.serialNumber} />
        </div>
      )}
      <p className="smaller quiet wrap">
        {makeAndModel && <span className="block">{makeAndModel}</span>}
        <span className="block">#{metadata.serialNumber}</span>
      </p>
      <p className="stack gap-0">
        <StatusLabel status={machineStatus(liveData)} sighting={sighting} showsLast />
        {sighting !== 'never' && (
          <span className="smaller quiet wrap">Laatst gezien: {formatLastSeen(liveData.GMT_UNIX, now)}</span>
        )}
      </p>
      {sighting === 'stale' && (
        <p className="alert p-1 smaller strong">
          Gegevens zijn {ageText(now - liveData.GMT_UNIX * 1000)} oud
        </p>
      )}
      {isMoved && alerts}
      {metadata.kind === 'machine' && <LastKnown entry={entry} now={now} look="tight" />}
      {sighting === 'stale' && contact}
      <BatteryBars batteries={batteriesOf(liveData, metadata.batteries)} />
      <Facts entry={entry} now={now} />
      {!isMoved && alerts}
      {sighting !== 'stale' && contact}
      {positionLags(liveData) && (
        <p className="smaller quiet wrap">Positie: {formatLastSeen(liveData.POSITION_UNIX ?? 0, now)}</p>
      )}
      <div className={`${styles.acts} stack gap-1 pt-1`}>
        <Link className={`${styles.go} centre touch rounded filled strong`} to={to}>
          Ga naar dashboard
        </Link>
        <NavigateButton entry={entry} />
      </div>
      {atSpot > 1 && (
        <button type="button" className="text-link full line-above" onClick={onShowSpot}>
          Alle {formatNumber(atSpot)} machines hier
        </button>
      )}
    </article>
  );
}

/** Shows the remaining time, place and project of a machine. A logger has only a place. */
function Facts({ entry, now }: { readonly entry: LiveEntry; readonly now: number }): ReactNode {
  const { metadata, liveData } = entry;
  const isMachine = metadata.kind === 'machine';
  const { data: figure, isError } = useMachineFigure(metadata.serialNumber, isMachine);
  const nameOf = usePresentPlaceName();
  const at = positionOf(liveData);
  const left = isMachine ? machineTimeLeft(entry, figure, now) : undefined;
  return (
    <dl className="stack gap-1 smaller">
      {left && (
        <div className="cluster gap-x-1 baseline">
          <dt>{left.label}</dt>
          <dd className="strong">
            {left.value}
            {left.more !== undefined && <span className="normal quiet"> {left.more}</span>}
          </dd>
        </div>
      )}
      {at && (
        <div className="cluster gap-x-1 baseline">
          <dt>Plaats</dt>
          <dd className="strong">{nameOf(metadata.organization, at).name}</dd>
        </div>
      )}
      {isMachine && (
        <div className="cluster gap-x-1 baseline">
          <dt>Project</dt>
          <dd className="strong">
            {figure?.project ? (
              <Link className="anchor" to={`/projecten/${figure.project._id}`}>
                {figure.project.projectName}
              </Link>
            ) : figure ? (
              'op geen project'
            ) : (
              <span className="normal quiet">{isError ? 'niet geladen' : 'nog niet geladen'}</span>
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}

const positionLags = ({ GMT_UNIX, POSITION_UNIX }: LiveData): boolean =>
  POSITION_UNIX !== undefined && GMT_UNIX - POSITION_UNIX > POSITION_LAGS_AFTER_S;
