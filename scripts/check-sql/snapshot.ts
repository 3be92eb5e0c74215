import { REPOSITORY_ROOT } from './program.ts';

/** A statement as a snapshot shows it. */
export type SnapshotStatement = {
  /** File under src/server. */
  readonly file: string;
  readonly name: string;
  readonly text: string;
  /** Parameters and columns; undefined if there are none. */
  readonly signature: string | undefined;
};

const HEADER = `-- The statements of this folder as they are sent, with their parameters and columns.
-- \`npm run check-sql -- --write\` writes this file. A statement with conditions stands here once per variant.
`;

/** Returns the text of each snapshot file, by path: one file per folder of src/server. */
export function formatSnapshotFiles(statements: readonly SnapshotStatement[]): Map<string, string> {
  const byFolder = Map.groupBy(statements, ({ file }) =>
    file.includes('/') ? (file.split('/')[0] as string) : '',
  );
  return new Map(
    [...byFolder].map(([folder, all]) => {
      const shown = all.map(({ file, name, text, signature }) => {
        const path = folder ? file.slice(folder.length + 1) : file;
        return [`-- ${path} ${name}`, ...(signature ? [`-- ${signature}`] : []), `${unindented(text)};`].join(
          '\n',
        );
      });
      return [
        `${REPOSITORY_ROOT}src/server/${folder ? `${folder}/` : ''}statements.snap`,
        `${HEADER}\n${shown.join('\n\n')}\n`,
      ];
    }),
  );
}

/** Removes the indentation that all lines after the first one share. */
function unindented(text: string): string {
  const [first = '', ...others] = text.trim().split('\n');
  const indents = others
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const common = Math.min(...indents, 40);
  return [first, ...others.map((line) => line.slice(Math.min(common, line.length)).trimEnd())].join('\n');
}
