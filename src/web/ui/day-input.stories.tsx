import { doNothing, type Story } from '#web/gallery/story.ts';
import { DayInput } from './day-input.tsx';

export const Empty: Story = {
  render: () => <DayInput label="Aanschafdatum" value="" onChange={doNothing} />,
};
export const Filled: Story = {
  render: () => (
    <DayInput label="Begin" description="De eerste dag." value="2026-10-25" onChange={doNothing} />
  ),
};
export const WithTime: Story = {
  render: () => <DayInput label="Begin" withTime value="2026-10-25 08:30:00" onChange={doNothing} />,
};
export const Wrong: Story = {
  render: () => (
    <DayInput label="Begin" value="2026-10-25" error="Kies een latere dag." onChange={doNothing} />
  ),
};
