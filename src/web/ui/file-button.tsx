import { Button } from '@mantine/core';
import { useRef } from 'react';

type FileButtonProps = {
  readonly label: string;
  /** As of an input's `accept`: what the picker offers first. It refuses nothing. */
  readonly accept: string;
  readonly isBusy?: boolean;
  readonly onPick: (file: File) => void;
};

/** A button that asks for one file. The same file can be picked twice, after a failure. */
export function FileButton({ label, accept, isBusy = false, onPick }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = '';
          if (file) onPick(file);
        }}
      />
      <Button
        variant="default"
        size="md"
        fullWidth
        aria-disabled={isBusy || undefined}
        onClick={() => isBusy || input.current?.click()}
      >
        {label}
      </Button>
    </>
  );
}
