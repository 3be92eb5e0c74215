import { doNothing, type Story } from '#web/gallery/story.ts';
import { LeafletMap } from './leaflet-map.tsx';
import { MapPopup } from './map-popup.tsx';

const AT = { lat: 52.1, lon: 5.1 };

const popup = (paragraphs: number) => (
  <LeafletMap centre={AT} zoom={12} label="Kaart">
    <MapPopup at={AT} lift={26} label="Kleine graver" onClose={doNothing}>
      {Array.from({ length: paragraphs }, (_, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the paragraphs never change.
        <p key={n}>Kleine graver staat sinds vanmorgen op het werk.</p>
      ))}
      <button type="button">Volg deze machine</button>
    </MapPopup>
  </LeafletMap>
);

export const Short: Story = { layout: 'fullscreen', render: () => popup(1) };
export const HigherThanTheMap: Story = { layout: 'fullscreen', render: () => popup(30) };
