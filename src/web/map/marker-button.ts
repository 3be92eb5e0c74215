import type { LeafletKeyboardEvent, Marker } from 'leaflet';

/** Makes a marker act as a button: a click, Enter or Space calls `onActivate`. */
export function actAsButton(marker: Marker, onActivate: () => void): void {
  marker.on('click', onActivate);
  marker.on('keydown', ({ originalEvent: event }: LeafletKeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault(); // Space would scroll, Enter would click once more.
    onActivate();
  });
}
