import { Button } from '@mantine/core';
import { doNothing, type Story } from '#web/gallery/story.ts';
import { Dialog, DialogBody } from './dialog.tsx';

const dialog = (paragraphs: number, isWide = false) => (
  <Dialog title="Maximumsnelheid instellen" onClose={doNothing} isWide={isWide}>
    <DialogBody>
      {Array.from({ length: paragraphs }, (_, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the paragraphs never change.
        <p key={n}>De machine meldt zich als zij langer dan tien seconden harder rijdt.</p>
      ))}
      <Button size="md">Klaar</Button>
    </DialogBody>
  </Dialog>
);

export const Short: Story = { layout: 'fullscreen', render: () => dialog(1) };
export const Wide: Story = { layout: 'fullscreen', render: () => dialog(1, true) };
export const HigherThanTheWindow: Story = { layout: 'fullscreen', render: () => dialog(40) };
