import { Popup } from 'leaflet';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Position } from '#shared/domain/position.ts';
import { remPx } from '#web/lib/rem.ts';
import { useMap } from './leaflet-map.tsx';
import styles from './map-popup.module.css';
import { onUserPan, showClear } from './popup-room.ts';

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
  /** The popup of something that drives. */
  readonly follow?: Follow | undefined;
  readonly children: ReactNode;
};

export type Follow = {
  /** The map follows the position and keeps the popup in view. */
  readonly isOn: boolean;
  /** The person has moved the map. */
  readonly onStop: () => void;
};

/**
 * A popup 13rem wide that is open as long as it is rendered. Its content is React's own, so that it follows the
 * data without closing (MAP-07). It takes the focus when it opens. The map moves so that the popup lies inside the view, clear of
 * what lies over the map, until the person moves the map.
 */
export function MapPopup({ at, lift, label, onClose, follow, children }: MapPopupProps): ReactNode {
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
        // All of this is ours: see the effects below.
        autoPan: false,
        closeButton: false,
        closeOnClick: false,
        closeOnEscapeKey: false,
        autoClose: false,
      }),
  );
  const close = useEffectEvent(() => onClose(content.contains(document.activeElement)));
  const place = useEffectEvent(() => popup.setLatLng([at.lat, at.lon]));
  /** Without `follow`: the person has not moved the map since the popup opened. */
  const isUntouched = useRef(true);
  const isKept = (): boolean => follow?.isOn ?? isUntouched.current;
  const keep = useEffectEvent(() => showClear(map, popup, at, lift, isKept() ? 'nearest' : 'stay'));
  const followOn = useEffectEvent(() => {
    if (follow) showClear(map, popup, at, lift, isKept() ? 'middle' : 'stay');
  });
  const leave = useEffectEvent(() => {
    isUntouched.current = false;
    if (follow?.isOn) follow.onStop();
  });

  useEffect(() => {
    content.ariaLabel = label;
  }, [content, label]);

  useEffect(() => {
    place().setContent(content).addTo(map);
    keep();
    content.focus({ preventScroll: true });
    const onClick = (): void => close();
    const onKey = (event: KeyboardEvent): void => {
      const ours = event.target === document.body || map.getContainer().contains(event.target as Node);
      if (event.key === 'Escape' && ours) close();
    };
    const resized = new ResizeObserver(() => keep());
    resized.observe(content);
    const onZoomOrResize = (): void => keep();
    map.on('click', onClick);
    map.on('zoomend resize', onZoomOrResize);
    const stopListening = onUserPan(map, () => leave());
    document.addEventListener('keydown', onKey);
    return () => {
      resized.disconnect();
      stopListening();
      map.off('zoomend resize', onZoomOrResize);
      map.off('click', onClick);
      document.removeEventListener('keydown', onKey);
      popup.remove();
      // Leaflet fades it out, but React has emptied it already.
      popup.getElement()?.remove();
    };
  }, [map, popup, content]);

  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the events read the position; these tell that it changed.
  useEffect(() => {
    place();
    if (!isFirst.current) followOn();
    isFirst.current = false;
  }, [at.lat, at.lon, follow?.isOn]);

  return createPortal(
    <>
      <div className={styles.scroll}>{children}</div>
      <button type="button" className={styles.close} aria-label="Sluiten" onClick={() => onClose(true)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="m3.5 3.5 9 9m0-9-9 9" />
        </svg>
      </button>
    </>,
    content,
  );
}
