import { londonDate } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { correctiveAction } from './corrective-action.ts'

interface Story {
  readonly description: string
  readonly adminNotes?: string
  readonly notes?: string
  /** `raised`: days since the action was raised. `due`: days until its deadline. */
  readonly raised: number
  readonly due: number
  /** Owner without an account. If not set, the demo employee owns the action. */
  readonly outside?: { readonly managerName: string; readonly email: string }
  readonly started?: true
  readonly proof?: string
  readonly verified?: true
}

const STORIES: readonly Story[] = [
  {
    description: 'Fit a toe board to the second lift of the east scaffold, Kelham Works.',
    adminNotes: 'Ask the scaffolder to check the north face on the same visit.',
    raised: 12,
    due: -3,
    started: true,
  },
  {
    description: 'Replace the cracked stile of ladder L-07 or scrap the ladder.',
    raised: 4,
    due: 5,
  },
  {
    description: 'Renew the earth connection at the site office and send in the certificate.',
    notes: 'Found by the electrician on the weekly inspection.',
    raised: 6,
    due: 8,
    outside: { managerName: 'Meera Joshi', email: 'meera@donvalley.example' },
  },
  {
    description: 'Mark the crossing between the material store and the hoist.',
    raised: 15,
    due: -6,
    proof: 'Crossing painted and two signs fixed. The fork-lift driver was briefed.',
  },
  {
    description: 'Top up the eyewash bottles in the plaster store.',
    raised: 30,
    due: -20,
    proof: 'Four bottles replaced; expiry March 2028.',
    verified: true,
  },
]

async function tellAction(engine: Engine, story: Story): Promise<void> {
  const { description, adminNotes = '', notes = '', raised, due, outside, started, proof, verified } = story
  const now = engine.clock.now()
  const by = (username: string, days: number) => ({
    clientId: 1,
    username,
    at: now.subtract({ hours: Math.round(24 * days) }),
  })
  const deadline = londonDate(now).add({ days: due }).toString()
  const id = await seedAsUser(engine, by('admin.brick', raised), async (c) => {
    const [worker] = await c.find(user, { username: 'worker.brick' })
    const owner = outside ?? { owner: worker?.id ?? null }
    return (await (await c.create(correctiveAction, { description, adminNotes, notes, deadline, ...owner })).saved()).id
  })
  if (started) await seedAsUser(engine, by('worker.brick', raised - 1), (c) => c.act(correctiveAction, 'start', id, {}))
  if (proof)
    await seedAsUser(engine, by('worker.brick', raised - 2), (c) => c.act(correctiveAction, 'complete', id, { proof }))
  if (verified)
    await seedAsUser(engine, by('admin.brick', raised - 3), async (c) => {
      const version = (await c.get(correctiveAction, id))?.version ?? 0
      await c.act(correctiveAction, 'verify', id, { version })
    })
}

async function seedCorrectiveActions(engine: Engine): Promise<void> {
  for (const story of STORIES) await tellAction(engine, story)
}

export const seeds: readonly DemoDataPart[] = [
  { name: 'corrective actions', needs: ['people'], tell: seedCorrectiveActions },
]
