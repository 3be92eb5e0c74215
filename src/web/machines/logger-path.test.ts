import { expect, test } from 'vitest';
import { loggerPath } from './logger-path.ts';

const logger = (alias: string, organization: string) => ({ alias, organization });

test('LOG-01 a name that two organizations have leads to the right one', () => {
  const all = [logger('Kar 1', 'spoor'), logger('Kar 1', 'rails'), logger('Één', 'spoor')];
  expect(all.map((one) => loggerPath(one, all))).toEqual([
    '/lmb-logging/Kar%201?organization=spoor',
    '/lmb-logging/Kar%201?organization=rails',
    '/lmb-logging/%C3%89%C3%A9n',
  ]);
});
