import { expect, test } from 'vitest';
import { newLogStats } from './decode/log-outcome.ts';
import { noReadingsReason } from './no-readings-reason.ts';

test.each([
  [{}, 'it is empty'],
  [{ remoteFrames: 3 }, 'it has only error reports and remote frames of the CAN bus'],
  [{ frames: 5, refusedTimes: 5 }, 'all its times are impossible (before 2015 or in the future)'],
  [{ frames: 5, refusedTimes: 2, unknownIds: 3 }, 'none of its 5 frames is in a DBC of its bus'],
  [{ frames: 5, unknownIds: 2 }, 'none of its 5 frames has a signal that is mapped or kept'],
  [{ frames: 5, decodedFrames: 4 }, 'none of its 4 frames (rows, points) has a usable value'],
])('the reason for a file without readings is given: %j (52.2)', (stats, words) => {
  expect(noReadingsReason({ ...newLogStats(), ...stats })).toBe(words);
});
