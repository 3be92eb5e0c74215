import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useMap } from './leaflet-map.tsx';
import { MapPopup } from './map-popup.tsx';
import type { MapMachine } from './marker.ts';
import { type MarkerLayer, markerLayer } from './marker-layer.ts';

/** px; the popup's point is at the top of the 30 px pin. */
const PIN_PX = 26;

type MachineMarkersProps = {
  readonly machines: readonly MapMachine[];
  /** The machine whose popup is open. */
  readonly openId: string | undefined;
  readonly onOpenChange: (id: string | undefined) => void;
  /** The content of that popup. */
  readonly popup: ReactNode;
};

/** A marker per machine, bubbles where there are many, and at most one open popup. */
export function MachineMarkers({ machines, openId, onOpenChange, popup }: MachineMarkersProps): ReactNode {
  const map = useMap();
  const [layer, setLayer] = useState<MarkerLayer>();
  const pick = useEffectEvent((id: string) => onOpenChange(id === openId ? undefined : id));

  useEffect(() => {
    const created = markerLayer(map, (id) => pick(id));
    setLayer(created);
    return () => created.remove();
  }, [map]);
  useEffect(() => layer?.show(machines), [layer, machines]);
  useEffect(() => layer?.hold(openId), [layer, openId]);

  const open = openId === undefined ? undefined : machines.find(({ id }) => id === openId);
  if (!layer || !open) return null;
  return (
    <MapPopup
      key={open.id}
      at={open}
      lift={PIN_PX}
      label={open.alias}
      onClose={(hadFocus) => {
        if (hadFocus) layer.focus(open.id);
        onOpenChange(undefined);
      }}
    >
      {popup}
    </MapPopup>
  );
}
