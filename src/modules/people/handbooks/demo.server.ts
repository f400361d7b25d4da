import { londonDate } from '#kernel/time.ts'
import { signOff } from '#modules/documents/signoff/sign-off.ts'
import { signature } from '#modules/documents/types/document.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import { user } from '#modules/identity/people/user.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { handbook } from './handbook.ts'

const r = handbook.resource
const BUILDER = { clientId: 1, author: 'admin.brick', approver: 'approver.brick' } as const
const SIGNATORIES = ['worker.brick', 'liam.young', 'ewa.kowalska', 'nadia.rahman'] as const
const SIGNED = ['liam.young', 'nadia.rahman'] as const

const CHAPTERS = [
  {
    title: 'Working hours',
    text: '<p>The site week is 40 hours, from 7.30 am to 4.30 pm, with an hour for lunch. Overtime is agreed with your manager before you work it.</p>',
  },
  {
    title: 'Absence',
    text: '<p>Call your manager before your shift starts if you can’t come to work. After seven days of sickness, please bring a fit note.</p>',
  },
  {
    title: 'Leave',
    text: '<p>Request leave in the portal at least two weeks before its first day. Your manager answers within three working days.</p>',
  },
  {
    title: 'Vans and tools',
    text: '<ul><li>Check the van before each journey and report defects on the same day.</li><li>Lock tools away overnight.</li></ul>',
  },
] as const

const PHONES = {
  title: 'Mobile phones',
  text: '<p>Nobody uses a phone while driving or operating plant, not even hands-free.</p>',
} as const

/** Creates a handbook whose second revision awaits signatures. */
async function seedHandbook(engine: Engine): Promise<void> {
  const now = engine.clock.now()
  const scene = (username: string, ago: number) => ({
    clientId: BUILDER.clientId,
    username,
    at: now.subtract({ hours: 24 * ago }),
  })
  const approve = (id: number, ago: number) =>
    seedAsUser(engine, scene(BUILDER.approver, ago), (c) => c.act(r, 'approve', id, {}))
  const first = await seedAsUser(engine, scene(BUILDER.author, 400), (c) => writeFirst(c))
  await approve(first, 398)
  const second = await seedAsUser(engine, scene(BUILDER.author, 9), (c) => writeSecond(c, first))
  await approve(second, 8)
  await seedAsUser(engine, scene(BUILDER.author, 8), (c) => requestSignatures(c, second))
  for (const username of SIGNED)
    await seedAsUser(engine, scene(username, 6), async (c) => {
      await (await c.create(signature, { document: second, method: 'typed' })).saved()
    })
}

async function writeFirst(c: Context): Promise<number> {
  const content: DocumentContent = {
    title: 'Employee handbook',
    introduction: '<p>This handbook explains how we work together. It applies to everyone we employ.</p>',
    chapters: CHAPTERS,
  }
  const { id } = await (await c.create(r, content)).saved()
  await c.act(r, 'complete', id, {})
  return id
}

async function writeSecond(c: Context, first: number): Promise<number> {
  await c.act(r, 'revise', first, { reason: 'A new chapter about mobile phones.' })
  const [draft] = await c.find(r, { state: 'draft', client: BUILDER.clientId })
  if (!draft) throw new Error('There is no draft of the handbook')
  const content: DocumentContent = { chapters: [...CHAPTERS, PHONES], unconfirmed: [] }
  await (await c.change(r, draft.id, content)).saved()
  await c.act(r, 'complete', draft.id, { change: 'material' })
  return draft.id
}

async function requestSignatures(c: Context, document: number): Promise<void> {
  const people = await c
    .withoutPermissionCheck('find the demo users asked to sign')
    .find(user, { username: [...SIGNATORIES] })
  const due = londonDate(c.now).add({ days: 21 }).toString()
  await (
    await c.create(signOff, {
      document,
      people: people.map(({ id }) => id),
      due,
      notes: 'Please read the new chapter about phones.',
    })
  ).saved()
}

export const seeds: readonly DemoDataPart[] = [{ name: 'handbook', needs: ['employees'], tell: seedHandbook }]
