/** Text of HTML that is safe to put between tags and in quoted attributes. */
export type Html = { readonly html: string };

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template whose values are escaped, unless they are HTML made by it; a list is joined, undefined is nothing. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (Html | string | number | undefined | readonly Html[])[]
): Html {
  return { html: parts.reduce((text, part, index) => text + textOf(values[index - 1]) + part) };
}

function textOf(value: Html | string | number | undefined | readonly Html[]): string {
  if (value === undefined) return '';
  if (typeof value === 'object') return 'html' in value ? value.html : value.map((one) => one.html).join('');
  return escapeHtml(String(value));
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
