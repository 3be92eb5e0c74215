import type { Story } from '#web/gallery/story.ts';
import { AreaShapes, FitAreas } from './area-shapes.tsx';
import { LeafletMap } from './leaflet-map.tsx';

const CIRCLE = { centre: { lat: 52.1, lon: 5.1 }, radiusMetres: 400 };
const POLYGON = {
  corners: [
    { lat: 52.105, lon: 5.112 },
    { lat: 52.108, lon: 5.125 },
    { lat: 52.098, lon: 5.122 },
  ],
};
const OWN = [CIRCLE];
const OTHER = [POLYGON];
const BOTH = [CIRCLE, POLYGON];

export const OwnAndOther: Story = {
  layout: 'fullscreen',
  render: () => (
    <LeafletMap centre={{ lat: 52, lon: 5 }} zoom={6} label="Kaart">
      <AreaShapes areas={OWN} kind="own" />
      <AreaShapes areas={OTHER} kind="other" />
      <FitAreas areas={BOTH} />
    </LeafletMap>
  ),
};
