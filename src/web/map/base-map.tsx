import { useQuery } from '@tanstack/react-query';
import { TileLayer as LeafletTiles } from 'leaflet';
import { type ReactNode, useEffect, useState } from 'react';
import { RETRY_MS } from '#web/lib/query-client.ts';
import { readQuery } from '#web/queries/read.ts';
import styles from './base-map.module.css';
import { useMap } from './leaflet-map.tsx';

export type MapLayer = 'street' | 'satellite';

/** MAP-02 prescribes the labels. */
const LAYERS = [
  { value: 'street', label: 'Default View' },
  { value: 'satellite', label: 'Satellite' },
] as const satisfies readonly { value: MapLayer; label: string }[];

const ASK_EVERY_MS = 60_000;

type BaseMapProps = {
  /** Set if the caller stores which layer the user chose. */
  readonly chosen?: { readonly layer: MapLayer; readonly onChange: (layer: MapLayer) => void };
  /** Rendered above and beside the switch. */
  readonly above?: ReactNode;
  readonly beside?: ReactNode;
};

/** The chosen base layer, its switch, and a note while the tile service is unreachable (MAP-02). */
export function BaseMap({ chosen, above, beside }: BaseMapProps): ReactNode {
  const [own, setOwn] = useState<MapLayer>('street');
  const { layer, onChange } = chosen ?? { layer: own, onChange: setOwn };
  const { data } = useQuery({
    ...readQuery('GET /api/map/layers'),
    refetchInterval: ASK_EVERY_MS,
  });
  const shown = data?.[layer];
  const isBuiltIn = shown?.source === 'built-in';
  return (
    <>
      <TileLayer
        // A separate address, so that cached built-in tiles are not shown once the service is back.
        url={`/tiles/${layer}/{z}/{x}/{y}${isBuiltIn ? '?built-in' : ''}`}
        attribution={shown?.attribution ?? ''}
        className={styles[layer] ?? ''}
      />
      <div className={`${styles.corner} stack gap-2 items-start`}>
        <div role="status" className={styles.note} data-over-map>
          {isBuiltIn && <p>Kaart niet bereikbaar</p>}
        </div>
        {above && <div data-over-map>{above}</div>}
        <div className="cluster stretch" data-over-map>
          <LayerSwitch layers={LAYERS} value={layer} onChange={onChange} />
          {beside}
        </div>
      </div>
    </>
  );
}

type TileLayerProps = {
  /** Address of a tile, with {z}, {x} and {y} in place of its zoom and position. */
  readonly url: string;
  /** Plain text, not HTML. */
  readonly attribution: string;
  readonly className?: string;
};

/** A base layer: tiles below everything else, and their attribution. */
function TileLayer({ url, attribution, className = '' }: TileLayerProps): undefined {
  const map = useMap();
  useEffect(() => {
    const tiles = new LeafletTiles(url, { className, maxZoom: map.getMaxZoom() }).addTo(map);
    // The portal answers every request for a tile, if necessary with its built-in outlines. So a tile fails only
    // without a connection, and is then requested again.
    tiles.on('tileerror', ({ tile, coords }) => {
      setTimeout(() => {
        if (tile.isConnected) (tile as HTMLImageElement).src = tiles.getTileUrl(coords);
      }, RETRY_MS);
    });
    return () => void tiles.remove();
  }, [map, url, className]);

  useEffect(() => {
    // Escapes the text, because Leaflet's attribution control takes HTML.
    const text = asHtml(attribution);
    if (text === '') return;
    map.attributionControl.addAttribution(text);
    return () => void map.attributionControl?.removeAttribution(text);
  }, [map, attribution]);
}

const asHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

type LayerSwitchProps<Layer extends string> = {
  readonly layers: readonly { readonly value: Layer; readonly label: string }[];
  readonly value: Layer;
  readonly onChange: (layer: Layer) => void;
};

/** Radio buttons for the base layer, bottom left. */
function LayerSwitch<Layer extends string>({ layers, value, onChange }: LayerSwitchProps<Layer>): ReactNode {
  return (
    <fieldset className="raised row gap-0 p-1 small">
      <legend className="sr-only">Kaartlaag</legend>
      {layers.map((layer) => (
        <label key={layer.value} className="segment">
          <input
            type="radio"
            name="map-layer"
            checked={layer.value === value}
            onChange={() => onChange(layer.value)}
          />
          {layer.label}
        </label>
      ))}
    </fieldset>
  );
}
