import type { Story } from '#web/gallery/story.ts';
import { EmptyState } from './empty-state.tsx';
import { TextLink } from './link.tsx';

export const TitleOnly: Story = { render: () => <EmptyState title="Er zijn geen meldingen" /> };
export const WithAWayOn: Story = {
  render: () => (
    <EmptyState title="Er zijn nog geen machines">
      <TextLink to="/">Maak de eerste machine</TextLink>
    </EmptyState>
  ),
};
