import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { NavLink } from 'react-router';
import { ApiError } from '#web/lib/api.ts';
import { signOut } from '#web/session/session.ts';
import { useUser } from '#web/session/user.ts';
import { Flyout } from './flyout.tsx';
import { settingsMenu } from './menu.ts';

/** The menu behind the hamburger icon: the pages of the user's role, and Logout (APP-06, APP-07). */
export function SettingsMenu() {
  const user = useUser();
  const logout = useLogout();
  return (
    <Flyout label="Menu" side="left" icon={<Hamburger />}>
      {(close) => (
        <nav aria-label="Menu">
          <ul className="p-1">
            {settingsMenu(user).map(({ label, to }) => (
              <li key={to}>
                <NavLink to={to} end className="nav-link full inset" onClick={close}>
                  {label}
                </NavLink>
              </li>
            ))}
            <li className="mt-1 pt-1 line-above">
              <button
                type="button"
                className="nav-link full inset"
                disabled={logout.isBusy}
                onClick={logout.start}
              >
                Logout
              </button>
            </li>
          </ul>
          {logout.failure !== undefined && (
            <p role="alert" className="alert py-2 px-4">
              Uitloggen is niet gelukt. {logout.failure}
            </p>
          )}
          <p className="py-2 px-4 line-above quiet small">
            {user.name ?? user.email}
            <br />
            {user.organizationName}
          </p>
        </nav>
      )}
    </Flyout>
  );
}

/**
 * Signs the user out. On success, the session ends and the protected wrapper opens /signin. On failure, the menu
 * shows the error.
 */
function useLogout() {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const start = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await signOut(client);
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : 'Probeer het opnieuw.');
      setBusy(false);
    }
  };
  return { isBusy, failure, start: () => void start() };
}

function Hamburger() {
  return (
    <svg viewBox="0 0 24 24" width="26" height="26" aria-hidden="true">
      <path d="M4 6.5h16M4 12h16M4 17.5h16" stroke="currentColor" strokeWidth="2.25" strokeLinecap="round" />
    </svg>
  );
}
