import { doNothing, type Story } from '#web/gallery/story.ts';
import { DeleteButton } from './delete-button.tsx';
import { Panel } from './panel.tsx';

export const Plain: Story = {
  render: () => (
    <Panel title="Accu's">
      <p>Twee accu's van 100 kWh.</p>
    </Panel>
  ),
};
export const WithAction: Story = {
  render: () => (
    <Panel title="Handleiding" action={<DeleteButton of="de handleiding" onClick={doNothing} />}>
      <p>Een PDF van 2 MB.</p>
    </Panel>
  ),
};
