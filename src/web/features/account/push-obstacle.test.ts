import { expect, test } from 'vitest';
import { type PushFacts, pushObstacle } from './push-obstacle.ts';

const CHROME: PushFacts = {
  isSecure: true,
  knowsPush: true,
  isApple: false,
  isInstalled: false,
  permission: 'default',
};

test.each<[string, Partial<PushFacts>, RegExp | undefined]>([
  ['a browser that was not asked yet', {}, undefined],
  ['a browser that allows it', { permission: 'granted' }, undefined],
  ['a browser that refuses it', { permission: 'denied' }, /links van het adres/],
  ['plain http', { isSecure: false, knowsPush: false }, /met https begint/],
  ['a private window', { knowsPush: false }, /privévenster/],
  ['an iPhone’s browser', { isApple: true, knowsPush: false }, /Zet op beginscherm/],
  ['an old iPhone’s home screen', { isApple: true, knowsPush: false, isInstalled: true }, /iOS 16\.4/],
  ['an iPhone’s home screen', { isApple: true, isInstalled: true }, undefined],
  [
    'an iPhone that refuses it',
    { isApple: true, isInstalled: true, permission: 'denied' },
    /Instellingen, Meldingen/,
  ],
])(
  'the account page explains why a browser cannot show notifications, if it cannot: %s (16.5k)',
  (_, facts, text) => {
    const obstacle = pushObstacle({ ...CHROME, ...facts });
    if (text) expect(obstacle).toMatch(text);
    else expect(obstacle).toBeUndefined();
  },
);
