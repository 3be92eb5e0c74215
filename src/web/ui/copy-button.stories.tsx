import type { Story } from '#web/gallery/story.ts';
import { CopyButton } from './copy-button.tsx';

export const Idle: Story = { render: () => <CopyButton text="abc" label="Kopieer de code" /> };
