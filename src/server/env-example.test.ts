import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { readConfig, SETTING_NAMES } from './config.ts';

const example = parseEnv(readFileSync('.env.example', 'utf8'));

test('.env.example names every setting, with its default', () => {
  expect(Object.keys(example).sort()).toEqual([...SETTING_NAMES].sort());
  expect(readConfig(example)).toEqual(readConfig({}));
});
