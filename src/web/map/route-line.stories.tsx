import type { Story } from '#web/gallery/story.ts';
import { LeafletMap } from './leaflet-map.tsx';
import { RouteLine } from './route-line.tsx';

const PATH = Array.from({ length: 60 }, (_, n) => ({ lat: 52 + n / 400, lon: 5 + Math.sin(n / 8) / 20 }));
const STILL = PATH.slice(0, 1);

const map = (path: typeof PATH) => (
  <LeafletMap centre={{ lat: 52, lon: 5 }} zoom={8} label="Kaart">
    <RouteLine path={path} />
  </LeafletMap>
);

export const Driven: Story = { layout: 'fullscreen', render: () => map(PATH) };
export const StoodStill: Story = { layout: 'fullscreen', render: () => map(STILL) };
