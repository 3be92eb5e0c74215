import type { Story } from '#web/gallery/story.ts';
import { StepList } from './step-list.tsx';

export const EveryState: Story = {
  render: () => (
    <StepList
      steps={[
        { text: 'De machine is gemaakt', state: 'done' },
        { text: 'De logger is gekoppeld', state: 'failed' },
        { text: 'De configuratie is gemaakt', state: 'open' },
      ]}
    />
  ),
};
