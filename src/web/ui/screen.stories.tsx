import type { Story } from '#web/gallery/story.ts';
import { Loading as LoadingScreen, NotFound } from './screen.tsx';

export const Loading: Story = { render: () => <LoadingScreen /> };
export const Missing: Story = {
  render: () => <NotFound what="Deze machine" to="/" way="Naar de machines" />,
};
export const MissingWithReason: Story = {
  render: () => (
    <NotFound what="Dit project" to="/" way="Naar de projecten">
      Er is geen project met nummer 12345678901234567890.
    </NotFound>
  ),
};
