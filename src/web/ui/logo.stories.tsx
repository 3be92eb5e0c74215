import type { Story } from '#web/gallery/story.ts';
import { Logo } from './logo.tsx';

export const Small: Story = { render: () => <Logo /> };
export const Large: Story = { render: () => <Logo size="large" /> };
