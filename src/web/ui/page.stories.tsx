import type { Story } from '#web/gallery/story.ts';
import { AddLink } from './link.tsx';
import { Page } from './page.tsx';

export const Plain: Story = {
  render: () => (
    <Page title="Projecten" back="/">
      <p>De inhoud van de pagina.</p>
    </Page>
  ),
};
export const LongTitleWithAction: Story = {
  render: () => (
    <Page
      title="Reconstructie van de rijksweg A27 tussen Houten en Hooipolder"
      back="/"
      action={<AddLink to="/" label="Maak een project" />}
    >
      <p>De inhoud van de pagina.</p>
    </Page>
  ),
};
