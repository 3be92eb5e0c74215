import { doNothing, type Story } from '#web/gallery/story.ts';
import { DeleteButton } from './delete-button.tsx';

export const Word: Story = { render: () => <DeleteButton of="Kleine graver" onClick={doNothing} /> };
export const Icon: Story = {
  render: () => <DeleteButton of="Kleine graver" look="icon" onClick={doNothing} />,
};
