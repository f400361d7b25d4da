import { londonDate } from '#kernel/time.ts'
import { mondayOf } from '#kernel/weeks.ts'
import { DOCUMENT_AUTHORS } from '#modules/documents/rights.ts'
import { documentRecordTitle } from '#modules/documents/types/kind.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { wholeList } from '#server/http/list-route.ts'
import { readReference } from '#server/seed/reference.ts'
import { presentedTalk, toolboxTalk } from '../talks/toolbox-talk.ts'
import { scheduledTalk } from './scheduled-talk.ts'
import { suggestTalks, type TalkOccasion, type TalkSeason } from './suggesting.ts'

const MANY = 1000

const seasons = (): readonly TalkSeason[] => readReference('talk-seasons.json')

/** `GET scheduled_talks/suggested`: `{@id, title, documentNumber, isTemplate, why}`, those of the season first. */
export const suggestedTalksRoute: Route = {
  method: 'GET',
  path: `${scheduledTalk.url}/suggested`,
  title: 'List suggested talks: those of the season and those not presented for a long time',
  allow: DOCUMENT_AUTHORS,
  listOf: 'objects',
  handle: async (c) => {
    const today = londonDate(c.engine.clock.now())
    const [talks, given, planned] = await Promise.all([
      readAll(c, toolboxTalk.resource, { current: 'true', retired: 'false' }),
      readAll(c, presentedTalk, { retired: 'false', 'order[date]': 'desc' }),
      readAll(c, scheduledTalk, { retired: 'false', 'week[after]': mondayOf(today).toString() }),
    ])
    const last: TalkOccasion[] = given.map(({ title, date }) => ({ title: title ?? '', date }))
    return wholeList(
      suggestTalks({
        today,
        seasons: seasons(),
        given: last,
        planned: planned.map(({ title }) => title ?? ''),
        talks: talks.map((t) => ({
          '@id': t['@id'],
          title: documentRecordTitle(toolboxTalk, t),
          documentNumber: t.documentNumber,
          isTemplate: t.isTemplate === true,
        })),
      }).map((one) => ({ ...one })),
    )
  },
}

const readAll = async <R extends typeof presentedTalk | typeof scheduledTalk | typeof toolboxTalk.resource>(
  c: RouteContext,
  r: R,
  query: Readonly<Record<string, string>>,
) => (await c.engine.list(r, c.me, query, { limit: MANY, offset: 0 }, { count: false })).members
