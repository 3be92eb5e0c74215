import type { ReactNode } from 'react';
import { type Action, may, roleOf } from '#shared/domain/access.ts';
import { useUser } from '#web/session/user.ts';
import { Page } from '#web/ui/page.tsx';

type Props = {
  readonly needs: Action;
  readonly title: string;
  readonly page: ReactNode;
};

/** The page, for who may see it (APP-06, API-02). The server refuses its calls to others anyway. */
export function Permitted({ needs, title, page }: Props) {
  if (may(roleOf(useUser()), needs)) return page;
  return (
    <Page title="Geen toegang" back="/">
      <p>Je hebt geen rechten voor ‘{title}’.</p>
    </Page>
  );
}
