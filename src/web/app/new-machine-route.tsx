import { FirstDbc } from '#web/features/definition/first-dbc.tsx';
import { NewMachinePage } from '#web/features/machine-form/new-machine-page.tsx';

/** Combines two features on one page: creating a machine, and uploading its first DBC file. */
export const NewMachineRoute = () => (
  <NewMachinePage dbc={(serial, onStored) => <FirstDbc serial={serial} onStored={onStored} />} />
);
