import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { ComponentProps } from 'react';

type BusyButtonProps = ButtonProps &
  Omit<ComponentProps<'button'>, keyof ButtonProps> & { readonly isBusy: boolean };

/**
 * A button that shows that its work is under way. It keeps the focus (a disabled one would lose it), so whoever
 * handles its click or submit ignores a second one.
 */
export function BusyButton({ isBusy, ...button }: BusyButtonProps) {
  return (
    <Button
      size="md"
      aria-disabled={isBusy || undefined}
      leftSection={isBusy ? <Loader size="1.125rem" color="currentColor" aria-hidden /> : undefined}
      {...button}
    />
  );
}
