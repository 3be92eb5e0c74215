import type { Story } from '#web/gallery/story.ts';
import { BatteryBars } from './battery-bars.tsx';

export const One: Story = { render: () => <BatteryBars batteries={[{ number: 1, percent: 82 }]} /> };

export const EveryLevel: Story = {
  render: () => (
    <BatteryBars
      batteries={[
        { number: 1, percent: 100 },
        { number: 2, percent: 49 },
        { number: 3, percent: 19 },
        { number: 4, percent: 0 },
        { number: 10, percent: undefined },
      ]}
    />
  ),
};
