import type { Story } from '#web/gallery/story.ts';
import { Chevron } from './chevron.tsx';

export const Closed: Story = { render: () => <Chevron isOpen={false} /> };
export const Open: Story = { render: () => <Chevron isOpen /> };
