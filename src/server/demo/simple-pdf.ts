/** A line of text: how large (points), whether bold, and how far below the line before it. */
export type PdfLine = {
  readonly text: string;
  readonly size: number;
  readonly bold?: boolean;
  readonly gap: number;
};

const LEFT = 64;
const TOP = 778;

/**
 * One A4 page of text in Helvetica, which every reader has: a PDF 1.4 (ISO 32000) in its plainest form. Lines are
 * not broken; what Latin-1 has not becomes `?`.
 */
export function simplePdf(title: string, lines: readonly PdfLine[]): Buffer {
  let y = TOP;
  const shown = lines.map(({ text, size, bold, gap }) => {
    y -= gap;
    return `BT /${bold ? 'F2' : 'F1'} ${size} Tf ${LEFT} ${y} Td ${literal(text)} Tj ET`;
  });
  const content = shown.join('\n');
  const font = (name: string): string =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (nl-NL) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title ${literal(title)} /Producer (Werkstroom) >>`,
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, n) => {
    const offset = file.length;
    file += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R >>`;
  // One character is one byte, so that the offsets hold.
  return Buffer.from(`${file}${xref}${trailer}\nstartxref\n${file.length}\n%%EOF\n`, 'latin1');
}

const literal = (text: string): string =>
  `(${text.replace(/[^\x20-\x7e\xa0-\xff]/gu, '?').replace(/[\\()]/g, '\\$&')})`;
