import type { Story } from '#web/gallery/story.ts';
import { TickIcon } from './tick-icon.tsx';

export const Plain: Story = { render: () => <TickIcon /> };
