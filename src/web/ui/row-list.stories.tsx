import type { Story } from '#web/gallery/story.ts';
import { TextLink } from './link.tsx';
import { RowList } from './row-list.tsx';

const NAMES = Array.from({ length: 10_000 }, (_, n) => `Machine ${n + 1}`);

const list = (names: readonly string[]) => (
  <div style={{ display: 'flex', flexDirection: 'column', maxHeight: '20rem' }}>
    <RowList items={names} keyOf={(name) => name} rowRem={3}>
      {(name) => <TextLink to="/">{name}</TextLink>}
    </RowList>
  </div>
);

export const Empty: Story = { render: () => list([]) };
export const Three: Story = { render: () => list(NAMES.slice(0, 3)) };
export const TenThousand: Story = { render: () => list(NAMES) };
