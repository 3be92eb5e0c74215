import type { LogStats } from './decode/log-outcome.ts';

type Counts = Pick<
  LogStats,
  'frames' | 'values' | 'decodedFrames' | 'unknownIds' | 'remoteFrames' | 'errorFrames' | 'refusedTimes'
>;

/** Returns the reason why a completely read file gave no reading, for the command line. */
export function noReadingsReason(stats: Counts): string {
  const { frames, values, decodedFrames, unknownIds, remoteFrames, errorFrames, refusedTimes } = stats;
  if (frames + values === 0)
    return remoteFrames + errorFrames > 0
      ? 'it has only error reports and remote frames of the CAN bus'
      : 'it is empty';
  if (refusedTimes >= frames + values) return 'all its times are impossible (before 2015 or in the future)';
  if (unknownIds > 0 && unknownIds + refusedTimes >= frames)
    return `none of its ${frames} frames is in a DBC of its bus`;
  if (decodedFrames === 0) return `none of its ${frames} frames has a signal that is mapped or kept`;
  return `none of its ${decodedFrames} frames (rows, points) has a usable value`;
}
