import { doNothing, type Story } from '#web/gallery/story.ts';
import { DayBars } from './day-bars.tsx';

const bars = (count: number, value: (n: number) => number) =>
  Array.from({ length: count }, (_, n) => ({
    day: `2026-10-${String(n + 1).padStart(2, '0')}`,
    value: value(n),
    text: `${value(n)} uur`,
    short: String(value(n)),
  }));

export const Month: Story = {
  render: () => <DayBars label="Draaiuren" bars={bars(31, (n) => (n * 5) % 9)} />,
};
export const NothingDone: Story = { render: () => <DayBars label="Draaiuren" bars={bars(7, () => 0)} /> };
export const Picked: Story = {
  render: () => (
    <DayBars label="Draaiuren" bars={bars(7, (n) => n)} pick={{ day: '2026-10-04', onPick: doNothing }} />
  ),
};
