import type { Story } from '#web/gallery/story.ts';
import { BusyButton } from './busy-button.tsx';

export const Idle: Story = { render: () => <BusyButton isBusy={false}>Opslaan</BusyButton> };

export const Busy: Story = { render: () => <BusyButton isBusy>Opslaan</BusyButton> };

export const Dangerous: Story = {
  render: () => (
    <BusyButton isBusy={false} color="red.9">
      Verwijderen
    </BusyButton>
  ),
};
