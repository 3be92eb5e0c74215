import type { RouteObject } from 'react-router';
import type { Action } from '#shared/domain/access.ts';
import { chunkPage } from './chunk.ts';
import { BareErrorPage, ErrorPage, UnknownPage } from './error-page.tsx';
import { Guard } from './guard.tsx';
import { Permitted } from './permitted.tsx';
import { SIGN_IN_PATH } from './sign-in-path.ts';
import { SignInRoute } from './sign-in-route.tsx';

const layout = chunkPage('layout', async () => (await import('./layout.tsx')).Layout);
const home = chunkPage(
  'fleet-map',
  async () => (await import('#web/features/fleet-map/fleet-map-page.tsx')).FleetMapPage,
);
const coming = async () => await import('./coming-page.tsx');
const machineComing = chunkPage('machine', async () => (await coming()).MachineComing);
const loggerComing = chunkPage('logger', async () => (await coming()).LoggerComing);

/** A page that a later issue builds: its title, the way back and, where section 6 limits it, who may come. */
function later(title: string, back: string, needs?: Action): Pick<RouteObject, 'element' | 'handle'> {
  const { Component, preload } = chunkPage('coming', async () => {
    const { ComingPage } = await coming();
    return () => <ComingPage title={title} back={back} />;
  });
  const page = <Component />;
  return {
    element: needs ? <Permitted needs={needs} title={title} back={back} page={page} /> : page,
    handle: { preload },
  };
}

/**
 * Every page of the portal, at the specification's paths (section 2; APP-03). A trailing slash is optional and
 * case does not matter, as always in react-router.
 */
export const routes: RouteObject[] = [
  { path: SIGN_IN_PATH, element: <SignInRoute />, errorElement: <BareErrorPage /> },
  {
    element: <Guard />,
    errorElement: <BareErrorPage />,
    children: [
      {
        element: <layout.Component />,
        handle: layout,
        children: [
          {
            // Its own level, so that the header stays when a page fails.
            errorElement: <ErrorPage />,
            children: [
              { path: '/', element: <home.Component />, handle: home },
              { path: '/machine', ...later('Machines', '/', 'see-machines') },
              { path: '/machine/handleiding', ...later('Handleiding', '/machine/') },
              { path: '/machine/nieuw', ...later('Maak Een Nieuwe Machine', '/machine/', 'manage-machines') },
              {
                path: '/machine/edit/:serialNumber',
                ...later('Update Een Machine', '/machine/', 'manage-machines'),
              },
              { path: '/machine/:serialNumber', element: <machineComing.Component />, handle: machineComing },
              { path: '/lmb-logging', ...later('LMB Logging', '/', 'see-loggers') },
              {
                path: '/lmb-logging/nieuw',
                ...later('Maak Een Nieuwe LMB Logging Machine', '/lmb-logging/', 'manage-loggers'),
              },
              { path: '/lmb-logging/:alias', element: <loggerComing.Component />, handle: loggerComing },
              { path: '/organization', ...later('Organisatie Codes', '/', 'see-organizations') },
              {
                path: '/organization/nieuw',
                ...later('Maak Een Nieuwe Organisatie', '/organization/', 'manage-organizations'),
              },
              { path: '/Users', ...later('Gebruikers', '/', 'see-users') },
              { path: '/test', ...later('Test', '/') },
              { path: '*', element: <UnknownPage /> },
            ],
          },
        ],
      },
    ],
  },
];
