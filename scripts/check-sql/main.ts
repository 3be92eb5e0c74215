import { readFile, writeFile } from 'node:fs/promises';
import { checkStatements } from './check.ts';
import { startServer } from './database.ts';
import { openServerSource, REPOSITORY_ROOT } from './program.ts';
import { formatSnapshotFiles } from './snapshot.ts';

/**
 * `npm run check-sql`: compares every statement of the server with the schema, and the snapshots of the statements with their files.
 * `-- --write` writes the snapshots.
 */
const isWriting = process.argv.includes('--write');
const server = await startServer();
try {
  const source = openServerSource();
  const { problems, shown } = await checkStatements(source, server);
  source.close();
  const lines = problems.map(({ place, problem }) => `${place} ${problem}`);
  for (const [path, text] of formatSnapshotFiles(shown)) {
    const before = await readFile(path, 'utf8').catch(() => '');
    if (before === text) continue;
    if (isWriting) await writeFile(path, text);
    else
      lines.push(
        `${path.replace(REPOSITORY_ROOT, '')} is not up to date: run \`npm run check-sql -- --write\``,
      );
  }
  for (const line of lines) console.error(line);
  console.log(`${shown.length} statements compared with the schema, ${lines.length} problems.`);
  process.exitCode = lines.length === 0 ? 0 : 1;
} finally {
  await server.stop();
}
