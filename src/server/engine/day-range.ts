import { problem } from '#kernel/errors.ts'
import { isDay } from '#kernel/time.ts'
import { firstOf } from '#server/data/filters.ts'
import type { RouteContext } from './route.ts'

/** First and last day, `2026-02-28`. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

/** Reads a day of the query, `2026-02-28`, or its default. Throws 400. */
export function readDayParameter({ query }: Pick<RouteContext, 'query'>, name: string, usual: string): string {
  const given = firstOf(query[name]) || usual
  if (/^\d{4}-\d\d-\d\d$/.test(given) && isDay(given)) return given
  throw problem.badRequest(`"${name}" must be a day such as 2026-11-25.`)
}

/** Reads `from` and `to` of the query. Throws 400, also where they are the wrong way round. */
export function readDayRange(c: Pick<RouteContext, 'query'>, usual: DayRange): DayRange {
  const from = readDayParameter(c, 'from', usual.from)
  const to = readDayParameter(c, 'to', usual.to)
  if (from > to) throw problem.badRequest('"from" must not be after "to".')
  return { from, to }
}
