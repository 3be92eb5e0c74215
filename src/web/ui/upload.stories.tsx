import { doNothing, type Story } from '#web/gallery/story.ts';
import type { Upload } from '#web/lib/upload.ts';
import { FileButton, ProgressBar, UploadState } from './upload.tsx';

const state = (upload: Partial<Upload>) => (
  <UploadState
    upload={{ isBusy: false, done: 0, isDone: false, failure: undefined, start: doNothing, ...upload }}
    what="De foto"
  />
);

export const Button: Story = {
  render: () => <FileButton label="Kies een foto" accept="image/*" onPick={doNothing} />,
};
export const Sending: Story = { render: () => state({ isBusy: true, done: 0.42 }) };
export const Processing: Story = { isMoving: true, render: () => state({ isBusy: true, done: 1 }) };
export const Failed: Story = { render: () => state({ failure: 'De foto is groter dan 10 MB.' }) };
export const Progress: Story = { render: () => <ProgressBar label="Het rapport wordt gemaakt" done={0.7} /> };
