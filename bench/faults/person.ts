import { SCRIPT_HEADERS } from '#server/test/by-script.ts';

type Portal = { readonly address: string };

/** Calls the portal as a browser does: GET, or POST when there is a body. */
export const callPortal = (
  { address }: Portal,
  path: string,
  cookie?: string,
  body?: object,
): Promise<Response> =>
  fetch(`${address}${path}`, {
    headers: {
      ...(cookie && { cookie }),
      ...(body && { 'content-type': 'application/json', ...SCRIPT_HEADERS }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });

/** Returns the session's cookie, `name=value`. */
export const signIn = async (portal: Portal, email: string, password: string): Promise<string> =>
  sessionIn(await callPortal(portal, '/api/auth/login', undefined, { email, password }));

/** Signs in with the password that the first start generated, and changes it. @returns the session's cookie, `name=value` */
export async function signInFirst(portal: Portal, email: string, password: string): Promise<string> {
  const change = { present: password, new: 'a bench’s own password' };
  return sessionIn(
    await callPortal(portal, '/api/account/password', await signIn(portal, email, password), change),
  );
}

async function sessionIn(answer: Response): Promise<string> {
  const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0];
  if (!answer.ok || cookie === undefined) throw new Error(`Sign-in failed: ${await answer.text()}`);
  return cookie;
}
