import { useState } from 'react';
import { doNothing, type Story } from '#web/gallery/story.ts';
import { LeafletMap } from './leaflet-map.tsx';
import { MachineMarkers, type OpenedPopup } from './machine-markers.tsx';
import type { MapMachine } from './map-machine.ts';

const machine = (id: string, changes: Partial<MapMachine>): MapMachine => ({
  id,
  alias: `Machine ${id}`,
  lat: 52.1,
  lon: 5.1,
  status: 'off',
  stale: false,
  percent: 80,
  isLow: false,
  attention: undefined,
  ...changes,
});

const EVERY_LOOK = [
  machine('charging', { lat: 52.3, lon: 4.9, status: 'charging' }),
  machine('running', { lat: 52.3, lon: 5.2, status: 'running' }),
  machine('off', { lat: 52.1, lon: 4.9 }),
  machine('low', {
    lat: 52.1,
    lon: 5.2,
    percent: 12,
    isLow: true,
    attention: { kind: 'low', words: 'Accu 12 %' },
  }),
  machine('moved', { lat: 51.9, lon: 4.9, attention: { kind: 'moved', words: 'Verplaatst' } }),
  machine('silent', { lat: 51.9, lon: 5.2, stale: true, percent: undefined }),
];
const spot = (count: number, lat: number, lon: number) =>
  Array.from({ length: count }, (_, n) => machine(`${lat} ${n}`, { lat, lon, isLow: n === 0 }));
const BUBBLES = [...spot(2, 52.3, 5), ...spot(120, 52.1, 5), ...spot(60, 51.9, 5)];

type OnOpenedChange = (opened: OpenedPopup | undefined) => void;

const map = (
  machines: readonly MapMachine[],
  opened?: OpenedPopup,
  onOpenedChange: OnOpenedChange = doNothing,
) => (
  <LeafletMap centre={{ lat: 52.1, lon: 5.05 }} zoom={9} label="Kaart met machines">
    <MachineMarkers
      machines={machines}
      opened={opened}
      onOpenedChange={onOpenedChange}
      follow={{ isOn: false, onStop: doNothing }}
      machinePopup={({ alias }) => <p>{alias}</p>}
      spotPopup={(atSpot) => <p>{atSpot.length} machines</p>}
    />
  </LeafletMap>
);

export const None: Story = { layout: 'fullscreen', render: () => map([]) };
export const EveryLook: Story = { layout: 'fullscreen', render: () => map(EVERY_LOOK) };
export const Bubbles: Story = { layout: 'fullscreen', render: () => map(BUBBLES) };
export const MachineOpened: Story = {
  layout: 'fullscreen',
  render: () => map(EVERY_LOOK, { kind: 'machine', id: 'running' }),
};
export const SpotOpened: Story = {
  layout: 'fullscreen',
  render: () => map(BUBBLES, { kind: 'spot', at: { lat: 52.3, lon: 5 } }),
};

function WithPopups() {
  const [opened, setOpened] = useState<OpenedPopup>();
  return map(EVERY_LOOK, opened, setOpened);
}

export const Interactive: Story = { layout: 'fullscreen', render: () => <WithPopups /> };
