import { expect, test } from 'vitest';
import { html } from './html.ts';

test('a template escapes its values, except HTML of another template (API-03)', () => {
  const evil = `<b title="x">&'`;
  const escaped = '&lt;b title=&quot;x&quot;&gt;&amp;&#39;';
  const item = html`<li>${evil}</li>`;
  expect(item.html).toBe(`<li>${escaped}</li>`);
  expect(html`<ul title="${evil}">${[item, item]}${undefined}${3}</ul>`.html).toBe(
    `<ul title="${escaped}">${item.html}${item.html}3</ul>`,
  );
});
