import { useEffect } from 'react';
import { BusCard } from './bus-card.tsx';
import { preventOpeningOfDroppedFiles } from './bus-panel.tsx';
import { useDefinitionCalls } from './definition-queries.ts';

type FirstDbcProps = { readonly serial: string; readonly onStored: () => void };

/** Card that uploads the first DBC file of a new machine, for bus 0, which nearly every machine uses (MEDIT-12). */
export function FirstDbc({ serial, onStored }: FirstDbcProps) {
  const calls = useDefinitionCalls(serial);
  useEffect(preventOpeningOfDroppedFiles, []);
  return (
    <BusCard
      bus={0}
      file={undefined}
      onUpload={async (upload, onProgress) => {
        await calls.upload(upload, {}, onProgress);
        onStored();
      }}
      onDelete={() => undefined}
    />
  );
}
