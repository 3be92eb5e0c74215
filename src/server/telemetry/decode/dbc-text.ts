/**
 * The text of a DBC (or CSV header): UTF-8 when the bytes are valid UTF-8, else Windows-1252, which is what
 * the tools that write DBC files use in the Netherlands (docs/design.md section 7). A byte order mark
 * is dropped.
 */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
