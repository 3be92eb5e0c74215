import type { ReactNode } from 'react';
import type { RouteObject } from 'react-router';
import { type Action, isActionAllowed } from '#shared/domain/access.ts';
import type { PageDeclaration } from '#web/lib/page-declaration.ts';
import { useUser } from '#web/session/user.ts';
import { Page } from '#web/ui/page.tsx';
import { chunkPage } from './chunk.ts';
import { BareErrorPage, ErrorPage, UnknownPage } from './error-page.tsx';
import { SignInGuard } from './guard.tsx';
import { pages } from './pages.ts';
import { PublicPage } from './public-page.tsx';
import { SIGN_IN_PATH, SignInRoute } from './sign-in-route.tsx';

const layout = chunkPage('layout', async () => (await import('./layout.tsx')).Layout);
const invitation = chunkPage(
  'invitation',
  async () => (await import('#web/features/sign-in/invitation-page.tsx')).InvitationPage,
);
const confirmAddress = chunkPage(
  'confirm-address',
  async () => (await import('#web/features/sign-in/confirm-address-page.tsx')).ConfirmAddressPage,
);

/** Returns the route of a declared page. */
function routeOf([chunk, { path, title, needs, load }]: [string, PageDeclaration]): RouteObject {
  const page = chunkPage(chunk, load);
  const component = <page.Component />;
  const element = needs ? <Permitted needs={needs} title={title} page={component} /> : component;
  return { path, element, handle: page };
}

/** Every page of the portal, with and without its header. */
export const routes: RouteObject[] = [
  { path: SIGN_IN_PATH, element: <SignInRoute />, errorElement: <BareErrorPage /> },
  // Targets of mailed links.
  { path: '/uitnodiging', element: <PublicPage page={invitation} />, errorElement: <BareErrorPage /> },
  { path: '/bevestigen', element: <PublicPage page={confirmAddress} />, errorElement: <BareErrorPage /> },
  {
    element: <SignInGuard />,
    errorElement: <BareErrorPage />,
    children: [
      {
        element: <layout.Component />,
        handle: layout,
        children: [
          {
            // Catches the errors of pages inside the layout, so that the header stays.
            errorElement: <ErrorPage />,
            children: [...Object.entries(pages).map(routeOf), { path: '*', element: <UnknownPage /> }],
          },
        ],
      },
    ],
  },
];

type PermittedProps = {
  readonly needs: Action;
  readonly title: string;
  readonly page: ReactNode;
};

/** Shows the page to users with the permission (APP-06, API-02). The server refuses the page's calls to others as well. */
function Permitted({ needs, title, page }: PermittedProps) {
  if (isActionAllowed(useUser(), needs)) return page;
  return (
    <Page title="Geen toegang" back="/">
      <p className="my-4">Je hebt geen rechten voor ‘{title}’.</p>
    </Page>
  );
}
