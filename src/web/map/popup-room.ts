/** Keeps a popup inside the view of the map and clear of elements over the map. */
import type { Map as LeafletMap, Popup } from 'leaflet';
import type { Position } from '#shared/domain/position.ts';
import { findClearSpot, maxClearHeight, type PixelRect } from './clear-spot.ts';
import { prefersReducedMotion } from './leaflet-map.tsx';

/** Free space around a popup. */
const EDGE_PX = 12;
/** Distance between the popup's box and its tip, in Leaflet's style sheet. */
const TIP_PX = 20;
/** Height of the text below a pin's position. */
const BELOW_PX = 18;
/** Elements of the portal that lie over a map have this attribute. */
const OVER_MAP = '[data-over-map]';
const ARROWS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];

/**
 * Limits the height of the popup to the free space, and moves the map so that the whole popup is in view.
 * @param lift distance between the position and the popup's point, in pixels
 * @param where 'nearest': moves as little as needed; 'middle': moves a popup that is out of view as near to the middle as
 * possible; 'stay': does not move the map
 */
export function showPopupInView(
  map: LeafletMap,
  popup: Popup,
  at: Position,
  lift: number,
  where: 'nearest' | 'middle' | 'stay',
): void {
  const element = popup.getElement();
  if (!element) return;
  const frame = map.getContainer().getBoundingClientRect();
  const bounds = {
    left: EDGE_PX,
    top: EDGE_PX,
    right: frame.width - EDGE_PX,
    bottom: frame.height - EDGE_PX,
  };
  const obstacles = obstaclesIn(frame);
  const width = element.offsetWidth;
  element.style.setProperty(
    '--popup-room',
    `${maxClearHeight(width, bounds, obstacles) - lift - TIP_PX - BELOW_PX}px`,
  );
  if (where === 'stay') return;
  const height = element.offsetHeight + TIP_PX + lift + BELOW_PX;
  const { x, y } = map.latLngToContainerPoint([at.lat, at.lon]);
  const now = { x: x - width / 2, y: y + BELOW_PX - height };
  let spot = findClearSpot({ width, height }, now, bounds, obstacles);
  const isClear = Math.round(spot.x - now.x) === 0 && Math.round(spot.y - now.y) === 0;
  if (isClear) return;
  if (where === 'middle') {
    const middle = { x: (frame.width - width) / 2, y: (frame.height - height) / 2 };
    spot = findClearSpot({ width, height }, middle, bounds, obstacles);
  }
  map.panBy(
    [Math.round(now.x - spot.x), Math.round(now.y - spot.y)],
    prefersReducedMotion() ? { animate: false } : {},
  );
}

/** Returns the boxes of elements over the map, with a margin, in pixels from the map's top left corner. */
function obstaclesIn(frame: DOMRect): PixelRect[] {
  return [...document.querySelectorAll(OVER_MAP)].flatMap((element) => {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) return [];
    return {
      left: box.left - frame.left - EDGE_PX,
      top: box.top - frame.top - EDGE_PX,
      right: box.right - frame.left + EDGE_PX,
      bottom: box.bottom - frame.top + EDGE_PX,
    };
  });
}

/**
 * Calls `onPan` when the user drags the map or moves it with the arrow keys. @returns a function that removes the
 * listeners
 */
export function onUserPan(map: LeafletMap, onPan: () => void): () => void {
  const container = map.getContainer();
  const onKey = (event: KeyboardEvent): void => {
    if (event.target === container && ARROWS.includes(event.key)) onPan();
  };
  map.on('dragstart', onPan);
  container.addEventListener('keydown', onKey);
  return () => {
    map.off('dragstart', onPan);
    container.removeEventListener('keydown', onKey);
  };
}
