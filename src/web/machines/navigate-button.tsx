import type { ReactNode } from 'react';
import type { LiveEntry } from '#shared/contract/live.ts';
import { positionOf } from '#shared/domain/position.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { coordinatesText, navigationLink } from './navigation-link.ts';

/** A link to the navigation of the device, and a button that copies the coordinates; nothing if the user sees no position. */
export function NavigateButton({ entry: { metadata, liveData } }: { readonly entry: LiveEntry }): ReactNode {
  const position = positionOf(liveData);
  if (!position) return null;
  return (
    <div className="split gap-1">
      <a
        className="text-link"
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
