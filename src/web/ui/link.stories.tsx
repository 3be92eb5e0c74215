import type { Story } from '#web/gallery/story.ts';
import { AddLink, TextLink } from './link.tsx';

export const Text: Story = { render: () => <TextLink to="/">Bekijk alle machines</TextLink> };
export const Add: Story = { render: () => <AddLink to="/" label="Maak een machine" /> };
