import type { Story } from '#web/gallery/story.ts';
import { WrappingEmailAddress } from './address.tsx';

export const Short: Story = { render: () => <WrappingEmailAddress email="jan@klant.nl" /> };

export const LongInANarrowPlace: Story = {
  render: () => (
    <p style={{ width: '16rem', border: '1px solid var(--line)' }}>
      <WrappingEmailAddress email="voornaam.tussenvoegsel.achternaam@grondverzet-noord.example" />
    </p>
  ),
};
