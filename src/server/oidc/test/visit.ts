/** What a person's browser does at the provider: follows it, types who they are, and is sent back. */
export type Visitor = {
  /** @returns the address of the portal to which the provider sends them. @param as undefined: they cancel */
  visit(url: string, as: string | undefined): Promise<string>;
};

/** A browser of its own, with its cookies: who has signed in there before is not asked again. */
export function newVisitor(): Visitor {
  const jar = new Map<string, string>();
  async function send(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }
  return {
    async visit(url, as) {
      const { origin } = new URL(url);
      let at = url;
      let answer = await send(at);
      for (let hop = 0; hop < 10; hop++) {
        const to = answer.headers.get('location');
        if (to !== null) {
          at = new URL(to, at).href;
          if (new URL(at).origin !== origin) return at;
          answer = await send(at);
        } else if (at.includes('/interaction/')) {
          const body = new URLSearchParams(as === undefined ? { cancel: '1' } : { who: as, ok: '1' });
          answer = await send(at, { method: 'POST', body });
        } else break;
      }
      throw new Error(`${at}: ${answer.status} ${await answer.text()}`);
    },
  };
}
