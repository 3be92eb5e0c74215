import type { ReactNode } from 'react';
import type { Story } from '#web/gallery/story.ts';
import { FormInput, FormSelect } from './form-input.tsx';
import { InputErrors } from './input-errors.ts';

const wrong = (name: string, message: string, input: ReactNode) => (
  <InputErrors value={[{ name, word: 'Merk', message }]}>{input}</InputErrors>
);

export const Empty: Story = {
  render: () => <FormInput name="brand" label="Merk" placeholder="Bijvoorbeeld Volta" />,
};
export const Filled: Story = {
  render: () => (
    <FormInput name="brand" label="Merk" description="Zoals op de machine." defaultValue="Volta" />
  ),
};
export const ReadOnly: Story = {
  render: () => <FormInput name="brand" label="Merk" defaultValue="Volta" readOnly />,
};
export const Wrong: Story = {
  render: () => wrong('brand', 'Merk ontbreekt.', <FormInput name="brand" label="Merk" />),
};
export const Select: Story = {
  render: () => <FormSelect name="role" label="Rol" data={['Kijker', 'Gebruiker', 'Beheerder']} />,
};
export const WrongSelect: Story = {
  render: () => wrong('role', 'Kies een rol.', <FormSelect name="role" label="Rol" data={['Kijker']} />),
};
