import type { Story } from '#web/gallery/story.ts';
import { TextLink } from './link.tsx';
import { VirtualCards } from './virtual-cards.tsx';

const NAMES = Array.from({ length: 2_000 }, (_, n) => `Machine ${n + 1}`);

const cards = (names: readonly string[]) => (
  <VirtualCards items={names} label="Machines" keyOf={(name) => name} rem={5} across={2}>
    {(name) => <TextLink to="/">{name}</TextLink>}
  </VirtualCards>
);

export const Three: Story = { render: () => cards(NAMES.slice(0, 3)) };
export const TwoThousand: Story = { layout: 'fullscreen', render: () => cards(NAMES) };
