import { Popup } from 'leaflet';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Position } from '#shared/domain/position.ts';
import { remPx } from '#web/lib/rem.ts';
import { useMap } from './leaflet-map.tsx';
import styles from './map-popup.module.css';
import { onUserPan, showPopupInView } from './popup-room.ts';

/** Returns 13rem (MAP-04) in pixels, minus the pixel that Leaflet adds. */
const widthPx = (): number => 13 * remPx() - 1;

type MapPopupProps = {
  readonly at: Position;
  /** Distance from the position to the tip of the popup, in pixels. */
  readonly lift: number;
  /** Name for screen readers. */
  readonly label: string;
  /** Called on Escape, the cross, or a click on the map. `hadFocus`: the focus was in the popup, and the caller must move it. */
  readonly onClose: (hadFocus: boolean) => void;
  /** Set for the popup of a machine, which the map can follow while the machine moves. */
  readonly follow?: PopupFollow | undefined;
  readonly children: ReactNode;
};

export type PopupFollow = {
  /** The map follows the position and keeps the popup in view. */
  readonly isOn: boolean;
  /** Called when the user moves the map. */
  readonly onStop: () => void;
};

/**
 * A popup 13rem wide that is open while it is rendered. React renders its content, so that the content follows
 * the data without closing the popup (MAP-07). The popup takes the focus when it opens. Until the user moves
 * the map, the map moves so that the popup is inside the view and clear of elements over the map.
 */
export function MapPopup({ at, lift, label, onClose, follow, children }: MapPopupProps): ReactNode {
  const map = useMap();
  const [content] = useState(() => {
    const element = document.createElement('div');
    element.className = styles.content ?? '';
    element.role = 'dialog';
    element.tabIndex = -1;
    // A click may replace the clicked element, and Leaflet would then take it for a click on the map.
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
        // The effects below move the map and close the popup instead of Leaflet.
        autoPan: false,
        closeButton: false,
        closeOnClick: false,
        closeOnEscapeKey: false,
        autoClose: false,
      }),
  );
  const close = useEffectEvent(() => onClose(content.contains(document.activeElement)));
  const place = useEffectEvent(() => popup.setLatLng([at.lat, at.lon]));
  /** Whether the user has not moved the map since the popup opened; used only without `follow`. */
  const isUntouched = useRef(true);
  const mayMove = (): boolean => follow?.isOn ?? isUntouched.current;
  const keep = useEffectEvent(() => showPopupInView(map, popup, at, lift, mayMove() ? 'nearest' : 'stay'));
  const followPosition = useEffectEvent(() => {
    if (follow) showPopupInView(map, popup, at, lift, mayMove() ? 'middle' : 'stay');
  });
  const stopFollowing = useEffectEvent(() => {
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
    const stopListening = onUserPan(map, () => stopFollowing());
    document.addEventListener('keydown', onKey);
    return () => {
      resized.disconnect();
      stopListening();
      map.off('zoomend resize', onZoomOrResize);
      map.off('click', onClick);
      document.removeEventListener('keydown', onKey);
      popup.remove();
      // Leaflet would fade out a popup that React has emptied.
      popup.getElement()?.remove();
    };
  }, [map, popup, content]);

  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect events read these values.
  useEffect(() => {
    place();
    if (!isFirst.current) followPosition();
    isFirst.current = false;
  }, [at.lat, at.lon, follow?.isOn]);

  return createPortal(
    <>
      <div className={`${styles.scroll} p-3 scroll`}>{children}</div>
      <button type="button" className={styles.close} aria-label="Sluiten" onClick={() => onClose(true)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="m3.5 3.5 9 9m0-9-9 9" />
        </svg>
      </button>
    </>,
    content,
  );
}
