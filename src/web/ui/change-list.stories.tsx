import type { Story } from '#web/gallery/story.ts';
import { ChangeList } from './change-list.tsx';

const GAIN = { text: 'Laadniveau accu 1 komt van Soc', isLoss: false };
const LOSS = { text: 'Toerental krijgt geen waarde meer', isLoss: true };

export const GainsAndLosses: Story = { render: () => <ChangeList changes={[GAIN, LOSS]} /> };

export const Many: Story = {
  render: () => (
    <ChangeList
      changes={Array.from({ length: 40 }, (_, n) => ({
        text: `Signaal ${n + 1} verdwijnt`,
        isLoss: n % 2 === 0,
      }))}
    />
  ),
};
