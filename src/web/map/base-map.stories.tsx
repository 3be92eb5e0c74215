import type { Story } from '#web/gallery/story.ts';
import { BaseMap } from './base-map.tsx';
import { LeafletMap } from './leaflet-map.tsx';

const map = () => (
  <LeafletMap centre={{ lat: 52.1, lon: 5.1 }} zoom={8} label="Kaart">
    <BaseMap above={<p>Boven de keuze</p>} beside={<p>Ernaast</p>} />
  </LeafletMap>
);
const layers = (source: 'service' | 'built-in') => {
  const layer = { source, attribution: source === 'service' ? '© OpenStreetMap' : 'Natural Earth' };
  return { 'GET /api/map/layers': { street: layer, satellite: layer } };
};

export const FromTheTileService: Story = { layout: 'fullscreen', answers: layers('service'), render: map };
export const BuiltIn: Story = { layout: 'fullscreen', answers: layers('built-in'), render: map };
