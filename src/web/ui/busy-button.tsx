import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { ComponentProps } from 'react';

type BusyButtonProps = ButtonProps &
  Omit<ComponentProps<'button'>, keyof ButtonProps> & { readonly isBusy: boolean };

/**
 * A button that shows that its work is in progress. It is not disabled, because a disabled button loses the focus. The
 * handler of its click or submit must ignore a click or submit while the work is in progress.
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
