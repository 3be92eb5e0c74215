import { Popup } from 'leaflet';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Position } from '#shared/domain/position.ts';
import { remPx } from '#web/lib/rem.ts';
import { useMap } from './leaflet-map.tsx';
import styles from './map-popup.module.css';

/** px that stay free between an opening popup and the map's edge. */
const EDGE_PX = 12;

/** MAP-04: 13rem wide; Leaflet wants px, and adds 1 to it. */
const widthPx = (): number => 13 * remPx() - 1;

type MapPopupProps = {
  readonly at: Position;
  /** px; how far above the position its point is. */
  readonly lift: number;
  /** What a screen reader calls it. */
  readonly label: string;
  /** Escape, the cross, or a click on the map. `hadFocus`: the focus was in the popup and must go somewhere. */
  readonly onClose: (hadFocus: boolean) => void;
  readonly children: ReactNode;
};

/**
 * A popup 13rem wide that is open as long as it is rendered. Its content is React's own, so that it follows the
 * data without closing (MAP-07). It takes the focus when it opens; the map moves only then, to show all of it.
 */
export function MapPopup({ at, lift, label, onClose, children }: MapPopupProps): ReactNode {
  const map = useMap();
  const [content] = useState(() => {
    const element = document.createElement('div');
    element.className = styles.content ?? '';
    element.role = 'dialog';
    element.tabIndex = -1;
    // A click may replace what was clicked: then Leaflet finds no popup above it, and takes it for one on the map.
    element.addEventListener('click', (event) => event.stopPropagation());
    return element;
  });
  const [popup] = useState(
    () =>
      new Popup({
        className: styles.popup ?? '',
        offset: [0, -lift],
        minWidth: widthPx(),
        maxWidth: widthPx(),
        autoPanPadding: [EDGE_PX, EDGE_PX],
        // All of this is ours: see the effects below.
        closeButton: false,
        closeOnClick: false,
        closeOnEscapeKey: false,
        autoClose: false,
      }),
  );
  const close = useEffectEvent(() => onClose(content.contains(document.activeElement)));
  const place = useEffectEvent(() => popup.setLatLng([at.lat, at.lon]));

  useEffect(() => {
    content.ariaLabel = label;
  }, [content, label]);

  useEffect(() => {
    popup.options.autoPan = true;
    place().setContent(content).addTo(map);
    // From now on live data may move the popup, but not the map under the person's hands.
    popup.options.autoPan = false;
    content.focus({ preventScroll: true });
    const onClick = (): void => close();
    const onKey = (event: KeyboardEvent): void => {
      const ours = event.target === document.body || map.getContainer().contains(event.target as Node);
      if (event.key === 'Escape' && ours) close();
    };
    map.on('click', onClick);
    document.addEventListener('keydown', onKey);
    return () => {
      map.off('click', onClick);
      document.removeEventListener('keydown', onKey);
      popup.remove();
      // Leaflet fades it out, but React has emptied it already.
      popup.getElement()?.remove();
    };
  }, [map, popup, content]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: place reads the position; these tell that it changed.
  useEffect(() => void place(), [at.lat, at.lon]);

  return createPortal(
    <>
      {children}
      <button type="button" className={styles.close} aria-label="Sluiten" onClick={() => onClose(true)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="m3.5 3.5 9 9m0-9-9 9" />
        </svg>
      </button>
    </>,
    content,
  );
}
