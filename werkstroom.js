// The one entry that an older Node can read: it says what is wrong instead of a syntax error.
const COMMANDS = {
  start: './src/server/main.ts',
  import: './src/server/import-command.ts',
  backup: './src/server/backup/backup.ts',
  restore: './src/server/backup/restore.ts',
  'rotate-key': './src/server/rotate-key.ts',
  'reset-factor': './src/server/reset-factor-command.ts',
  demo: './scripts/demo.ts',
  dev: './scripts/dev.ts',
  psql: './scripts/psql.ts',
  build: './scripts/build.ts',
  bench: './bench/main.ts',
  faults: './bench/faults/main.ts',
  prove: './scripts/prove-authorization/main.ts',
  forecast: './scripts/forecast/main.ts',
};
const command = process.argv[2] ?? 'start';
const [major = 0] = process.versions.node.split('.').map(Number);

if (major < 24) {
  process.stderr.write(
    `Werkstroom needs Node 24; this is ${process.version}. Start it with npm (npm start), which brings its own.\n`,
  );
  process.exitCode = 1;
} else if (!Object.hasOwn(COMMANDS, command)) {
  process.stderr.write(`Unknown command ${command}. There is: ${Object.keys(COMMANDS).join(', ')}.\n`);
  process.exitCode = 1;
} else {
  await import(COMMANDS[command]);
}
