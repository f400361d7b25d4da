import { type Instant, londonDate } from '#kernel/time.ts'
import { templateWords } from '#rooms/documents/offers.server.ts'
import type { Context } from '#server/engine/context.ts'
import type { Engine } from '#server/engine/engine.ts'
import { tell } from '#server/world/story.ts'
import { CREW } from '../risk/demo.server.ts'
import { presentedTalk, toolboxTalk } from './toolbox-talk.ts'

const TALKS = [
  { title: 'Slips, trips and falls', state: 'current', age: 60, presented: 20 },
  { title: 'Ladders and stepladders', state: 'current', age: 50, presented: 19 },
  { title: 'Asbestos awareness', state: 'complete', age: 40 },
  { title: 'Hand-arm vibration', state: 'draft', age: 30 },
] as const

/** Talks of a builder: two of them were given on site, to three people and without a fourth. */
export async function tellTalks(engine: Engine): Promise<void> {
  const by = { clientId: 1, username: 'admin.brick' }
  const daysAgo = (days: number) => engine.clock.now().subtract({ hours: 24 * days })
  for (const t of TALKS) {
    const id = await tell(engine, { ...by, at: daysAgo(t.age) }, (c) => write(c, t.title, t.state))
    if ('presented' in t) {
      const at = daysAgo(t.presented)
      await tell(engine, { ...by, at }, (c) => present(c, id, at))
    }
  }
}

async function write(c: Context, title: string, state: (typeof TALKS)[number]['state']): Promise<number> {
  const r = toolboxTalk.resource
  const { id } = await (await c.create(r, await templateWords(c, toolboxTalk, title))).saved()
  if (state !== 'draft') await c.act(r, 'complete', id, {})
  if (state === 'current') await c.act(r, 'approve', id, {})
  return id
}

async function present(c: Context, talk: number, at: Instant): Promise<void> {
  const given = await c.create(presentedTalk, {
    talk,
    presenter: 'Priya Shah',
    place: 'Kelham Works',
    date: londonDate(at).toString(),
    startTime: '07:30',
    finishTime: '07:42',
    attendees: CREW.slice(0, 4).map((name, i) =>
      i < 3 ? { name, method: 'typed', signedAt: at.toString() } : { name, absence: 'On holiday' },
    ),
  })
  await c.change(presentedTalk, await given.saved(), { complete: true })
}
