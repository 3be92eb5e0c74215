import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { formatNumber } from '#shared/domain/nl.ts';
import type { Position } from '#shared/domain/position.ts';
import { useMap } from './leaflet-map.tsx';
import type { MapMachine } from './map-machine.ts';
import { MapPopup, type PopupFollow } from './map-popup.tsx';
import { BUBBLE_LIFT_PX } from './marker.ts';
import { indexesAtSameSpot } from './marker-index.ts';
import { type MarkerLayer, markerLayer } from './marker-layer.ts';

/** Distance from a marker's position to the tip of its popup: the top of the 30 px pin, or of a bubble. */
const PIN_PX = 26;
const BUBBLE_PX = 22 + BUBBLE_LIFT_PX;

/** The open popup: of a machine, or of all machines at one spot. */
export type OpenedPopup =
  | { readonly kind: 'machine'; readonly id: string }
  | { readonly kind: 'spot'; readonly at: Position };

type MachineMarkersProps = {
  readonly machines: readonly MapMachine[];
  readonly opened: OpenedPopup | undefined;
  readonly onOpenedChange: (opened: OpenedPopup | undefined) => void;
  /** Whether the map follows the machine whose popup is open. */
  readonly follow: PopupFollow;
  /** Renders the popup of a machine. */
  readonly machinePopup: (machine: MapMachine, atSpot: readonly MapMachine[]) => ReactNode;
  /** Renders the popup of the machines at one spot. */
  readonly spotPopup: (atSpot: readonly MapMachine[]) => ReactNode;
};

/** A marker per machine, a bubble for machines close together, and at most one open popup. */
export function MachineMarkers(props: MachineMarkersProps): ReactNode {
  const { machines, opened, onOpenedChange } = props;
  const map = useMap();
  const [layer, setLayer] = useState<MarkerLayer>();
  const openId = opened?.kind === 'machine' ? opened.id : undefined;
  const pick = useEffectEvent((id: string) =>
    onOpenedChange(id === openId ? undefined : { kind: 'machine', id }),
  );
  const pickSpot = useEffectEvent((at: Position) => onOpenedChange({ kind: 'spot', at }));

  useEffect(() => {
    const created = markerLayer(map, { onPick: (id) => pick(id), onPickSpot: (at) => pickSpot(at) });
    setLayer(created);
    return () => created.remove();
  }, [map]);
  useEffect(() => layer?.show(machines), [layer, machines]);
  useEffect(() => layer?.keepVisible(openId), [layer, openId]);

  const machine = openId === undefined ? undefined : machines.find(({ id }) => id === openId);
  const at = opened?.kind === 'spot' ? opened.at : machine;
  const atSpot = at ? indexesAtSameSpot(machines, at, map.getMaxZoom()).map((index) => machines[index]!) : [];
  const [first] = atSpot;
  if (!layer || !at || !first) return null;
  return (
    <MapPopup
      key={machine ? `machine ${machine.id}` : `spot ${at.lat} ${at.lon}`}
      at={at}
      lift={machine ? PIN_PX : BUBBLE_PX}
      follow={machine ? props.follow : undefined}
      label={machine?.alias ?? `${formatNumber(atSpot.length)} machines op één plek`}
      onClose={(hadFocus) => {
        if (hadFocus) layer.focus((machine ?? first).id);
        onOpenedChange(undefined);
      }}
    >
      {machine ? props.machinePopup(machine, atSpot) : props.spotPopup(atSpot)}
    </MapPopup>
  );
}
