import { londonDate } from '#kernel/time.ts'
import { document } from '#modules/documents/types/document.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { scheduledTalk } from './scheduled-talk.ts'

const PLANS = [
  { title: 'Slips, trips and falls', weeks: 0, presenter: 'Callum Fraser', place: 'Kelham Works' },
  { title: 'Ladders and stepladders', weeks: 1, presenter: 'Priya Shah', place: 'Riverside, block B' },
  { title: 'Manual handling', weeks: 2, presenter: 'Callum Fraser', place: '' },
]

/** Creates a demo builder's planned talks for the coming weeks. */
async function seedTalkSchedule(engine: Engine): Promise<void> {
  const at = engine.clock.now().subtract({ hours: 2 })
  await seedAsUser(engine, { clientId: 1, username: 'admin.brick', at }, async (c) => {
    for (const { title, weeks, presenter, place } of PLANS) {
      const [talk] = await c.find(document, { kind: 'toolbox_talk', title, current: true, isTemplate: false })
      if (!talk) throw new Error(`The demo data has no talk "${title}" in force`)
      const week = londonDate(at).add({ weeks }).toString()
      await c.create(scheduledTalk, { talk: talk.id, week, presenter, place })
    }
  })
}

export const seeds: readonly DemoDataPart[] = [
  { name: 'planned talks', needs: ['toolbox talks'], tell: seedTalkSchedule },
]
