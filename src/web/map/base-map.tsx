import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '#web/lib/api.ts';
import styles from './base-map.module.css';
import { LayerSwitch } from './layer-switch.tsx';
import { TileLayer } from './tile-layer.tsx';

type Layer = 'street' | 'satellite';

/** The labels are those of MAP-02. */
const LAYERS = [
  { value: 'street', label: 'Default View' },
  { value: 'satellite', label: 'Satellite' },
] as const satisfies readonly { value: Layer; label: string }[];

const ASK_EVERY_MS = 60_000;

/** The base layer of choice, its switch, and a word when the tile service is out of reach (MAP-02). */
export function BaseMap(): ReactNode {
  const [layer, setLayer] = useState<Layer>('street');
  const { data } = useQuery({
    queryKey: ['map-layers'],
    queryFn: ({ signal }) => call('GET /api/map/layers', { signal }),
    refetchInterval: ASK_EVERY_MS,
  });
  const shown = data?.[layer];
  const isBuiltIn = shown?.source === 'built-in';
  return (
    <>
      <TileLayer
        // Another address, so that the browser's copies of built-in tiles are not shown after the service is back.
        url={`/tiles/${layer}/{z}/{x}/{y}${isBuiltIn ? '?built-in' : ''}`}
        attribution={shown?.attribution ?? ''}
        className={styles[layer] ?? ''}
      />
      <div className={styles.corner}>
        <div role="status" className={styles.note}>
          {isBuiltIn && <p>Kaart niet bereikbaar</p>}
        </div>
        <LayerSwitch layers={LAYERS} value={layer} onChange={setLayer} />
      </div>
    </>
  );
}
