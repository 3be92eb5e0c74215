import { TileLayer as LeafletTiles } from 'leaflet';
import { useEffect } from 'react';
import { useMap } from './leaflet-map.tsx';

type TileLayerProps = {
  /** With {z}, {x} and {y}. */
  readonly url: string;
  /** Plain text. */
  readonly attribution: string;
  readonly className?: string;
};

/** A base layer: tiles under everything else, and who made them. */
export function TileLayer({ url, attribution, className = '' }: TileLayerProps): undefined {
  const map = useMap();
  useEffect(() => {
    const tiles = new LeafletTiles(url, { className, maxZoom: map.getMaxZoom() }).addTo(map);
    return () => void tiles.remove();
  }, [map, url, className]);

  useEffect(() => {
    // Leaflet's control takes HTML.
    const text = asHtml(attribution);
    if (text === '') return;
    map.attributionControl.addAttribution(text);
    return () => void map.attributionControl?.removeAttribution(text);
  }, [map, attribution]);
}

const asHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
