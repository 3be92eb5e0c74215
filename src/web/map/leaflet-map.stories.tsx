import type { Story } from '#web/gallery/story.ts';
import { LeafletMap } from './leaflet-map.tsx';

export const Bare: Story = {
  layout: 'fullscreen',
  render: () => <LeafletMap centre={{ lat: 52.1, lon: 5.1 }} zoom={8} label="Kaart" />,
};
