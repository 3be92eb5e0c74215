import { doNothing, type Story } from '#web/gallery/story.ts';
import { MomentForm } from './moment-form.tsx';

export const October: Story = {
  render: () => (
    <MomentForm
      wallClock="2026-10-25 08:30:00"
      latestDay="2026-10-28"
      which="first"
      onPick={doNothing}
      onCancel={doNothing}
    />
  ),
};
