import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { LiveData, LiveEntry } from '#shared/contract/live.ts';
import { batteriesOf } from '#shared/domain/battery.ts';
import { machineStatus } from '#shared/domain/machine-status.ts';
import { ageInWords, lastSeen, plainNumber } from '#shared/domain/nl.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import { sightingOf } from '#shared/domain/staleness.ts';
import { MachineContact } from '#web/machines/contact-call.tsx';
import { FavouriteButton } from '#web/machines/favourite-button.tsx';
import { LabelChips } from '#web/machines/label-chips.tsx';
import { LastKnown } from '#web/machines/last-known.tsx';
import { MachineAlerts } from '#web/machines/machine-alerts.tsx';
import { BatteryBars } from '#web/ui/battery-bars.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { StatusLabel } from '#web/ui/status-icon.tsx';
import styles from './machine-popup.module.css';
import { coordinatesText, navigationLink } from './navigation-link.ts';

/** s; a position this much older than the newest reading is told apart from it. */
const POSITION_LAGS_AFTER_S = 60;

type MachinePopupProps = {
  readonly entry: LiveEntry;
  /** The machine's own page. */
  readonly to: string;
  readonly now: number;
  /** How many machines stand at this spot, this one included, and what shows them. */
  readonly atSpot: number;
  readonly onShowSpot: () => void;
};

/** What is known of one machine, in the popup at its marker (MAP-05, MAP-06). */
export function MachinePopup({ entry, to, now, atSpot, onShowSpot }: MachinePopupProps): ReactNode {
  const { metadata, liveData } = entry;
  const sighting = sightingOf(liveData.GMT_UNIX, now);
  const position = positionOf(liveData);
  const makeAndModel = [metadata.brand, metadata.model].filter(Boolean).join(' ');
  return (
    <article className={styles.popup} data-stale={sighting !== 'fresh'}>
      <h2 className={styles.alias}>{metadata.alias}</h2>
      {metadata.kind === 'machine' && (
        <div className={styles.marks}>
          <FavouriteButton serial={metadata.serialNumber} alias={metadata.alias} />
          <LabelChips serial={metadata.serialNumber} />
        </div>
      )}
      <p className={styles.quiet}>
        {makeAndModel && <span>{makeAndModel}</span>}
        <span>#{metadata.serialNumber}</span>
      </p>
      <p className={styles.state}>
        <StatusLabel status={machineStatus(liveData)} sighting={sighting} tellsLast />
        {sighting !== 'never' && (
          <span className={styles.quiet}>Laatst gezien: {lastSeen(liveData.GMT_UNIX, now)}</span>
        )}
      </p>
      {sighting === 'stale' && (
        <p className={styles.warning}>Gegevens zijn {ageInWords(now - liveData.GMT_UNIX * 1000)} oud</p>
      )}
      {metadata.kind === 'machine' && (
        <>
          <LastKnown entry={entry} now={now} look="tight" />
          <MachineContact serial={metadata.serialNumber} isTight />
        </>
      )}
      {metadata.kind === 'machine' && <MachineAlerts serial={metadata.serialNumber} now={now} isTight />}
      <BatteryBars batteries={batteriesOf(liveData, metadata.batteries)} />
      {positionLags(liveData) && (
        <p className={styles.quiet}>Positie: {lastSeen(liveData.POSITION_UNIX ?? 0, now)}</p>
      )}
      <Link className={styles.go} to={to}>
        Ga naar dashboard
      </Link>
      {position && <WayThere to={position} alias={metadata.alias} />}
      {atSpot > 1 && (
        <button type="button" className={styles.others} onClick={onShowSpot}>
          Alle {plainNumber(atSpot)} machines hier
        </button>
      )}
    </article>
  );
}

type WayThereProps = { readonly to: Position; readonly alias: string };

/** A person drives there, or tells somebody else where it is. */
const WayThere = ({ to, alias }: WayThereProps): ReactNode => (
  <div className={styles.way}>
    <a
      className={styles.navigate}
      href={navigationLink(to, alias, navigator.userAgent)}
      target="_blank"
      rel="noreferrer"
    >
      Navigeer erheen
    </a>
    <CopyButton text={coordinatesText(to)} label="Kopieer coördinaten" />
  </div>
);

const positionLags = ({ GMT_UNIX, POSITION_UNIX }: LiveData): boolean =>
  POSITION_UNIX !== undefined && GMT_UNIX - POSITION_UNIX > POSITION_LAGS_AFTER_S;
