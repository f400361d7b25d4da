import type { RowOf } from '#kernel/resource.ts'
import type { substanceLimit } from './substance.ts'

/** Returns a limit's values, to copy them to another substance. */
export const copyExposureLimitValues = (limit: RowOf<typeof substanceLimit>) => ({
  position: limit.position,
  agent: limit.agent,
  longPpm: limit.longPpm,
  longMgM3: limit.longMgM3,
  shortPpm: limit.shortPpm,
  shortMgM3: limit.shortMgM3,
  source: limit.source,
  confidence: limit.confidence,
  composed: limit.composed,
  notes: limit.notes,
})
