import { proved, type Rule } from '../rule.ts';

/** Which stored log files the page of a machine shows and hands out. */
export const logFiles: readonly Rule[] = [
  ...proved('decode-again.pg.test.ts > 43.5', {
    'log files: of the machine’s own loggers only':
      'where ⟦w.stream_id = $1 and⟧ o.logger_serial = w.logger_serial and o.modified_at >= w.created_at and o.modified_at < w.until and o.modified_at >= (select',
    'log files: none from before the present owner':
      "⟦and o.modified_at >= (select valid_from from ownership where stream_id = $1 and valid_to = 'infinity')⟧",
    'log files: one that is withheld is not handed out':
      "⟦if (shown.isWithheld) throw new ProblemError('conflict', 'De metingen van dit bestand wachten in quarantaine.');⟧",
    'log files: one that is withheld is not decoded again':
      'canDecode: isLog && ⟦!isWithheld &&⟧ isLogFormat(formatOf(name)),',
  }),
  ...proved('upload-log.pg.test.ts > 43.5', {
    'log files: an upload is of a logger that was bound to the machine':
      '⟦if (!bindings.some((binding) => binding.streamId === streamId))→if (false)⟧ throw invalid(`Dit bestand is van logger',
    'log files: only readings of the machine’s own times are stored':
      "if (⟦binding.streamId === streamId→true⟧) return { kind: 'stored', binding };",
    'log files: a list of the upload endpoint has no upload of a person': `⟦and not starts_with(key, '\${BY_HAND}')⟧`,
  }),
];
