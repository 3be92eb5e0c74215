import type { Story } from '#web/gallery/story.ts';
import { LeafletMap } from './leaflet-map.tsx';
import { PointMarker } from './point-marker.tsx';

export const EveryKind: Story = {
  layout: 'fullscreen',
  render: () => (
    <LeafletMap centre={{ lat: 52.1, lon: 5.1 }} zoom={12} label="Kaart">
      <PointMarker at={{ lat: 52.12, lon: 5.06 }} kind="machine" label="Kleine graver" />
      <PointMarker at={{ lat: 52.12, lon: 5.14 }} kind="machine" label="Stille graver" stale />
      <PointMarker at={{ lat: 52.1, lon: 5.06 }} kind="begin" label="Begin van de route" />
      <PointMarker at={{ lat: 52.1, lon: 5.14 }} kind="end" label="Eind van de route" />
      <PointMarker at={{ lat: 52.08, lon: 5.06 }} kind="stop" label="Stop van 10 minuten" />
      <PointMarker at={{ lat: 52.08, lon: 5.1 }} kind="moment" label="Om 08:30" />
      <PointMarker at={{ lat: 52.08, lon: 5.14 }} kind="user" label="Jij" />
    </LeafletMap>
  ),
};
