import { doNothing, neverEnds, type Story } from '#web/gallery/story.ts';
import { Form } from './form.tsx';
import { FormInput } from './form-input.tsx';
import type { InputError } from './input-errors.ts';

const ERRORS: readonly InputError[] = [{ name: 'brand', word: 'Merk', message: 'Merk ontbreekt.' }];

type Outcome = {
  readonly check?: () => string | readonly InputError[];
  readonly onSubmit?: () => Promise<unknown>;
};

const form = ({ check, onSubmit = neverEnds }: Outcome, onCancel?: () => void) => (
  <Form
    submit="Opslaan"
    fallback="Opslaan is niet gelukt."
    onSubmit={onSubmit}
    {...(check && { check })}
    {...(onCancel && { onCancel })}
  >
    <FormInput name="brand" label="Merk" />
    <FormInput name="model" label="Model" />
  </Form>
);

export const Empty: Story = { render: () => form({}) };
export const InADialog: Story = { render: () => form({}, doNothing) };
export const FieldsWrong: Story = { press: 'Opslaan', render: () => form({ check: () => ERRORS }) };
export const Refused: Story = {
  press: 'Opslaan',
  render: () => form({ onSubmit: () => Promise.reject(new Error()) }),
};
export const Sending: Story = { press: 'Opslaan', render: () => form({ onSubmit: neverEnds }) };
