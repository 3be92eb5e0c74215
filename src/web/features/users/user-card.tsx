import { Button } from '@mantine/core';
import type { User } from '#shared/contract/users.ts';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import styles from './user-card.module.css';

type UserCardProps = {
  readonly user: User;
  readonly isSelf: boolean;
  readonly onMove: () => void;
  readonly onDelete: () => void;
};

export function UserCard({ user: { email, cleanorg }, isSelf, onMove, onDelete }: UserCardProps) {
  const at = email.lastIndexOf('@');
  return (
    <>
      <h2>
        {/* A long one breaks there, and not in a word. */}
        {email.slice(0, at + 1)}
        <wbr />
        {email.slice(at + 1)}
      </h2>
      <p>
        {cleanorg}
        {isSelf && ' · dit ben jij'}
      </p>
      <div className={styles.actions}>
        <Button variant="default" size="md" aria-label={`Verplaats ${email}`} onClick={onMove}>
          Verplaats
        </Button>
        <DeleteButton of={email} onClick={onDelete} />
      </div>
    </>
  );
}
