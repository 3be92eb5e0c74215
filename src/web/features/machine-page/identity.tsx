import { type ReactNode, useState } from 'react';
import type { LiveEntry } from '#shared/contract/live.ts';
import { machineStatus } from '#shared/domain/machine-status.ts';
import { ageText, lastSeenDetail } from '#shared/domain/nl.ts';
import { freshnessOf } from '#shared/domain/staleness.ts';
import { MachineContact } from '#web/machines/contact-call.tsx';
import { useMachineFigure } from '#web/machines/fleet-figures.ts';
import { LabelButton } from '#web/machines/label-button.tsx';
import { LabelChips } from '#web/machines/label-chips.tsx';
import { LastKnown } from '#web/machines/last-known.tsx';
import { usePhoto } from '#web/machines/machine-files.ts';
import { StatusLabel } from '#web/ui/status-icon.tsx';
import styles from './identity.module.css';
import { MachineProject } from './machine-project.tsx';

type IdentityProps = {
  readonly entry: LiveEntry;
  /** Unix ms. */
  readonly now: number;
};

/** Head of the page: the machine, its status and when it was last seen (MDET-02, MDET-03, LIVE-07). */
export function Identity({ entry, now }: IdentityProps): ReactNode {
  const { metadata, liveData } = entry;
  const figure = useMachineFigure(metadata.serialNumber);
  const makeAndModel = [metadata.brand, metadata.model].filter(Boolean).join(' ');
  const { GMT_UNIX } = liveData;
  const sighting = freshnessOf(GMT_UNIX, now);
  return (
    <div className={`${styles.identity} beside gap-2-4 middle`} data-stale={sighting !== 'fresh'}>
      <MachinePhoto serial={metadata.serialNumber} alias={metadata.alias} />
      <div className="stack gap-1 wrap">
        <p>
          {makeAndModel} <span className="quiet">#{metadata.serialNumber}</span>
        </p>
        <p role="status" className="larger">
          <StatusLabel status={machineStatus(liveData)} sighting={sighting} showsLast />
        </p>
        {sighting !== 'never' && (
          <p className={`${styles.seen} quiet`}>Laatst gezien: {lastSeenDetail(GMT_UNIX, now)}</p>
        )}
        <MachineProject serial={metadata.serialNumber} />
        <MachineContact serial={metadata.serialNumber} />
        <div className="cluster">
          <LabelChips serial={metadata.serialNumber} />
          <LabelButton
            serial={metadata.serialNumber}
            alias={metadata.alias || metadata.serialNumber}
            organization={metadata.organization}
          />
        </div>
      </div>
      {sighting === 'stale' && (
        <p className="alert strong across">
          Gegevens zijn {ageText(now - GMT_UNIX * 1000)} oud. Wat hier staat, is de laatst bekende stand.
        </p>
      )}
      {sighting !== 'fresh' && (
        <div className="across">
          <LastKnown entry={entry} now={now} project={figure.data?.project?.projectName} />
        </div>
      )}
    </div>
  );
}

/** The photo; without one, a circle with the alias's first letter, and why there is no photo (MDET-02, MDET-10). */
function MachinePhoto({ serial, alias }: { readonly serial: string; readonly alias: string }) {
  const { data, error } = usePhoto(serial);
  const [brokenUrl, setBrokenUrl] = useState<string>();
  const isBroken = data ? data.url === brokenUrl : Boolean(error);
  if (data && !isBroken) {
    const onError = (): void => setBrokenUrl(data.url);
    return (
      <img className={`${styles.photo} round`} src={data.url} alt={`Foto van ${alias}`} onError={onError} />
    );
  }
  return (
    <div className={`${styles.frame} stack gap-1`}>
      <div className={`${styles.photo} ${styles.letter} round centre bold`} aria-hidden="true">
        {firstLetter(alias)}
      </div>
      <Reason isBroken={isBroken} isAbsent={data === null} />
    </div>
  );
}

/** Shows why there is no photo, in the texts that MDET-10 prescribes. */
function Reason({
  isBroken,
  isAbsent,
}: {
  readonly isBroken: boolean;
  readonly isAbsent: boolean;
}): ReactNode {
  if (!isBroken && !isAbsent) return null;
  return (
    <p className="smaller tight quiet centred">
      {isBroken ? 'Error loading image.' : 'Afbeelding onbeschikbaar'}
    </p>
  );
}

/** Returns the first character, which may take several code units. */
const firstLetter = (alias: string): string => [...alias.trim()][0]?.toLocaleUpperCase('nl') ?? '?';
