import type { Query } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Context } from '#server/engine/context.ts'
import type { Engine } from '#server/engine/engine.ts'
import type { Answer, Call } from './endpoints.ts'
import { keepAnswer } from './keep-answer.ts'
import { item } from './represent.ts'

/** Starts a run as whoever asks, and answers with it: 202, to be asked for at its address until it has ended. */
export async function answerRun(engine: Engine, c: Call, start: (unit: Context) => Promise<number>): Promise<Answer> {
  const runs = engine.resources.find(({ type }) => type === 'Run')
  if (!runs) throw new Error('No module shows runs')
  const { actor } = c.change
  const answer = (run: ApiRecord): Answer => ({
    status: 202,
    text: item(runs.type, run),
    headers: { location: String(run['@id']) },
  })
  const made = await engine.inTenant<ApiRecord>(actor.clientId, keepAnswer(c, answer), async (unit) => {
    const id = await start(unit)
    return () => engine.one(runs, actor, id)
  })
  return answer(made)
}

/** A query as it is kept with a run. */
export const plainQuery = (query: Query): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, v]) => (v === undefined ? [] : [[name, typeof v === 'string' ? v : [...v]]])),
  )
