import { BY_SCRIPT } from '#server/test/by-script.ts';

/** What a browser does, as a call. */
type Place = { readonly address: string };

/** GET, or POST when there is a body. */
export const ask = (
  { address }: Place,
  path: string,
  cookie: string | undefined,
  body?: object,
): Promise<Response> =>
  fetch(`${address}${path}`, {
    headers: {
      ...(cookie && { cookie }),
      ...(body && { 'content-type': 'application/json', ...BY_SCRIPT }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });

/** @returns the session's cookie, `name=value` */
export const signIn = async (context: Place, email: string, password: string): Promise<string> =>
  sessionIn(await ask(context, '/api/auth/login', undefined, { email, password }));

/** Signs in with the password that the first start made up, and changes it. @returns as signIn */
export async function signInFirst(context: Place, email: string, password: string): Promise<string> {
  const change = { present: password, new: 'a bench’s own password' };
  return sessionIn(
    await ask(context, '/api/account/password', await signIn(context, email, password), change),
  );
}

async function sessionIn(answer: Response): Promise<string> {
  const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0];
  if (!answer.ok || cookie === undefined) throw new Error(`Signing in failed: ${await answer.text()}`);
  return cookie;
}
