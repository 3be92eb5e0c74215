import { doNothing, neverEnds, type Story } from '#web/gallery/story.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

const dialog = (kind: 'remove' | 'change', onYes: () => Promise<unknown> = neverEnds) => (
  <ConfirmDialog
    question="Weet je zeker dat je Kleine graver wilt verwijderen"
    kind={kind}
    onYes={onYes}
    onClose={doNothing}
  >
    <p>De geschiedenis blijft 30 dagen bewaard.</p>
  </ConfirmDialog>
);

export const Remove: Story = { layout: 'fullscreen', render: () => dialog('remove') };
export const Change: Story = { layout: 'fullscreen', render: () => dialog('change') };
export const Working: Story = { layout: 'fullscreen', press: 'Ja', render: () => dialog('change') };
export const Failing: Story = {
  layout: 'fullscreen',
  press: 'Ja',
  render: () => dialog('remove', () => Promise.reject(new Error())),
};
