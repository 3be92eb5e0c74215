import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { type Config, ConfigError, readConfig } from './config.ts';

/** Settings file in the current folder that is read if no other file is named. */
const DEFAULT_FILE = '.env';

export type Settings = {
  readonly config: Config;
  /** Arguments of the command without `--env-file`. */
  readonly words: string[];
  /** Text that names the settings file and the data folder, for a log or a terminal. */
  readonly source: string;
};

/**
 * Reads the settings of the portal and of every command: environment variables first, then the file of `--env-file FILE`, otherwise
 * `.env` in the current folder. A variable in the environment takes precedence, even if it is empty. The variables of the file are
 * also put into the environment, where libraries read theirs (PGSSLMODE).
 * @throws ConfigError for a file that cannot be read, and one sentence per wrong setting
 */
export function readSettings(given: readonly string[] = process.argv.slice(3)): Settings {
  const { named, words } = takeFileName(given);
  const file = named ?? (existsSync(DEFAULT_FILE) ? DEFAULT_FILE : undefined);
  if (file !== undefined) {
    for (const [name, value] of Object.entries(parseEnv(textOf(file)))) process.env[name] ??= value;
  }
  const config = readConfig(process.env);
  const from = file === undefined ? 'the environment' : resolve(file);
  return { config, words, source: `Settings: ${from}. DATA_DIR: ${config.DATA_DIR}.` };
}

/** Removes `--env-file` from the arguments and returns the file's name. @throws ConfigError */
function takeFileName(given: readonly string[]): { named: string | undefined; words: string[] } {
  const { tokens } = parseArgs({
    args: [...given],
    options: { 'env-file': { type: 'string' } },
    strict: false,
    tokens: true,
  });
  const [option] = tokens.filter((token) => token.kind === 'option' && token.name === 'env-file');
  if (option?.kind !== 'option') return { named: undefined, words: [...given] };
  if (!option.value) throw new ConfigError('--env-file needs the name of a file.');
  const words = [...given];
  words.splice(option.index, option.inlineValue ? 1 : 2);
  return { named: option.value, words };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`The settings file ${resolve(file)} cannot be read: ${(error as Error).message}.`);
  }
}
