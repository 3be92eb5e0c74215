import { pages } from './pages.ts';

/** First path segments of the pages without the header: the sign-in page, and the targets of mailed links. */
const PUBLIC = ['signin', 'uitnodiging', 'bevestigen'];

/** First path segments of the portal's pages, in lower case because the router ignores case. */
export const pageSegments: readonly string[] = [
  ...new Set([
    ...PUBLIC,
    ...Object.values(pages).map(({ path }) => (path.split('/')[1] ?? '').toLowerCase()),
  ]),
].sort();
