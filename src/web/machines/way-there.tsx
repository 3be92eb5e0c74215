import type { ReactNode } from 'react';
import type { LiveEntry } from '#shared/contract/live.ts';
import { positionOf } from '#shared/domain/position.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { coordinatesText, navigationLink } from './navigation-link.ts';
import styles from './way-there.module.css';

/** A link into the navigation of the device, and the coordinates to copy; nothing where the reader sees no position of the machine. */
export function WayThere({ entry: { metadata, liveData } }: { readonly entry: LiveEntry }): ReactNode {
  const position = positionOf(liveData);
  if (!position) return null;
  return (
    <div className={styles.way}>
      <a
        className={styles.navigate}
        href={navigationLink(position, metadata.alias || metadata.serialNumber, navigator.userAgent)}
        target="_blank"
        rel="noreferrer"
      >
        Navigeer erheen
      </a>
      <CopyButton text={coordinatesText(position)} label="Kopieer coördinaten" />
    </div>
  );
}
