import type { ReactNode } from 'react';
import styles from './layer-switch.module.css';

type LayerSwitchProps<Layer extends string> = {
  readonly layers: readonly { readonly value: Layer; readonly label: string }[];
  readonly value: Layer;
  readonly onChange: (layer: Layer) => void;
};

/** The choice of base layer, bottom left. Radio buttons: arrow keys change it. */
export function LayerSwitch<Layer extends string>({
  layers,
  value,
  onChange,
}: LayerSwitchProps<Layer>): ReactNode {
  return (
    <fieldset className={styles.switch}>
      <legend className="sr-only">Kaartlaag</legend>
      {layers.map((layer) => (
        <label key={layer.value} className={styles.choice}>
          <input
            type="radio"
            name="map-layer"
            className={styles.radio}
            checked={layer.value === value}
            onChange={() => onChange(layer.value)}
          />
          {layer.label}
        </label>
      ))}
    </fieldset>
  );
}
