import type { Story } from '#web/gallery/story.ts';
import { PasswordField } from './password-field.tsx';

export const Present: Story = { render: () => <PasswordField /> };
export const New: Story = { render: () => <PasswordField isNew label="Nieuw wachtwoord" /> };
