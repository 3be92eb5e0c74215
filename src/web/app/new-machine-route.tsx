import { FirstDbc } from '#web/features/definition/first-dbc.tsx';
import { NewMachinePage } from '#web/features/machine-form/new-machine-page.tsx';

/** A machine's creation, with the DBC file that it may lack: two features on one page. */
export const NewMachineRoute = () => (
  <NewMachinePage dbc={(serial, onStored) => <FirstDbc serial={serial} onStored={onStored} />} />
);
