import type { MachineStatus } from '#shared/domain/machine-status.ts';
import type { Freshness } from '#shared/domain/staleness.ts';
import type { Story } from '#web/gallery/story.ts';
import { StatusIcon, StatusLabel } from './status-icon.tsx';

const STATUSES: readonly MachineStatus[] = ['charging', 'running', 'off'];

const all = (sighting: Freshness) =>
  STATUSES.map((status) => (
    <p key={status}>
      <StatusIcon status={status} sighting={sighting} />
      <StatusLabel status={status} sighting={sighting} showsLast />
    </p>
  ));

export const Fresh: Story = { render: () => all('fresh') };
export const Stale: Story = { render: () => all('stale') };
export const NeverSeen: Story = { render: () => all('never') };
