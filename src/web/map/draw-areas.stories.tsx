import { doNothing, type Story } from '#web/gallery/story.ts';
import { DrawAreas } from './draw-areas.tsx';
import { LeafletMap } from './leaflet-map.tsx';

const AREAS = [
  { centre: { lat: 52.1, lon: 5.1 }, radiusMetres: 300 },
  {
    corners: [
      { lat: 52.105, lon: 5.112 },
      { lat: 52.106, lon: 5.12 },
      { lat: 52.1, lon: 5.118 },
    ],
  },
];

export const Handles: Story = {
  layout: 'fullscreen',
  render: () => (
    <LeafletMap centre={{ lat: 52.1, lon: 5.105 }} zoom={14} label="Kaart">
      <DrawAreas areas={AREAS} drawing={undefined} onChange={doNothing} onDrawn={doNothing} />
    </LeafletMap>
  ),
};
