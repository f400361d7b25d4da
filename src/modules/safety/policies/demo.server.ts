import { toRowObjects } from '#kernel/forms/rows.ts'
import { toText } from '#kernel/text.ts'
import { londonDate } from '#kernel/time.ts'
import { systemTemplateContent } from '#modules/documents/lifecycle/revisions.server.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { signDemoDocument } from '../demo-signatures.server.ts'
import { policyPerson } from './arrangement.ts'
import { policy } from './policy.ts'

const r = policy.resource

interface DemoPolicy {
  readonly clientId: number
  readonly author: string
  readonly approver: string
  readonly from: string
  readonly title: string
  readonly signatory: string
  readonly jobTitle: string
  /** Names of the people who hold the functions, by function. */
  readonly people: Readonly<Record<string, string>>
  /** Number of days since approval. */
  readonly age: number
}

const BUILDER: DemoPolicy = {
  clientId: 1,
  author: 'admin.brick',
  approver: 'approver.brick',
  from: 'Health and safety policy of a contractor',
  title: 'Health and safety policy',
  signatory: 'Gareth Brick',
  jobTitle: 'Managing Director',
  people: {
    'Managing Director': 'Gareth Brick',
    'Contracts Manager': 'Priya Shah',
    'Health and Safety Manager': 'Priya Shah',
    'Site Manager': 'Rhys Ellis',
    Supervisor: 'Liam Young',
    'First Aider': 'Bethan Davies',
    Employees: 'All employees',
    Contractors: 'All contractors we bring to a site',
  },
  age: 210,
}

const CARE: DemoPolicy = {
  clientId: 2,
  author: 'admin.care',
  approver: 'admin.care',
  from: 'Health and safety policy of a care provider',
  title: 'Health and safety policy',
  signatory: 'Angela Moss',
  jobTitle: 'Director',
  people: { 'Director responsible for safety': 'Angela Moss', 'First Aider': 'The nurse in charge' },
  age: 375,
}

/**
 * Creates two demo policies: a builder's, which was recently revised and has only half of its signatures, and a care
 * provider's, which is overdue for review.
 */
async function seedPolicies(engine: Engine): Promise<void> {
  await tellPolicy(engine, CARE)
  const first = await tellPolicy(engine, BUILDER)
  const { title, clientId } = BUILDER
  for (const username of ['liam.young', 'ewa.kowalska', 'nadia.rahman'])
    await signDemoDocument(engine, { title, username, ago: 200 })
  const by = scenes(engine, clientId)
  const next = await seedAsUser(engine, by('admin.brick', 12), async (c) => {
    await c.act(r, 'revise', first, { reason: 'A new first aider' })
    const [draft] = await c.find(r, { state: 'draft', client: clientId })
    if (!draft) throw new Error('There is no draft policy')
    const organisation = toRowObjects((draft as DocumentContent).organisation).map((row) =>
      row.function === 'First Aider' ? { ...row, person: 'Nadia Rahman and Bethan Davies' } : row,
    )
    const words: DocumentContent = { organisation, unconfirmed: [] }
    await (await c.change(r, draft.id, words)).saved()
    await c.act(r, 'complete', draft.id, { change: 'material' })
    return draft.id
  })
  await seedAsUser(engine, by('approver.brick', 10), (c) => c.act(r, 'approve', next, {}))
}

const scenes = (engine: Engine, clientId: number) => (username: string, ago: number) => ({
  clientId,
  username,
  at: engine.clock.now().subtract({ hours: 24 * ago }),
})

async function tellPolicy(engine: Engine, told: DemoPolicy): Promise<number> {
  const by = scenes(engine, told.clientId)
  const id = await seedAsUser(engine, by(told.author, told.age + 2), (c) => write(c, told))
  await seedAsUser(engine, by(told.approver, told.age), (c) => c.act(r, 'approve', id, {}))
  return id
}

async function write(c: Context, { from, title, signatory, jobTitle, people }: DemoPolicy): Promise<number> {
  const words = await systemTemplateContent(c, policy, from)
  const organisation = toRowObjects(words.organisation).map((row) => ({
    ...row,
    person: people[toText(row.function)] ?? 'The person named on the rota by the manager',
  }))
  const signedOn = londonDate(c.now).toString()
  const said: DocumentContent = { ...words, title, signatory, jobTitle, signedOn, organisation }
  const { id } = await (await c.create(r, said)).saved()
  const confirmed: DocumentContent = { unconfirmed: [] }
  await (await c.change(r, id, confirmed)).saved()
  await c.act(r, 'complete', id, {})
  for (const one of new Set(Object.values(people))) await (await c.create(policyPerson, { title: one })).saved()
  return id
}

export const seeds: readonly DemoDataPart[] = [{ name: 'policies', needs: ['RAMS requests'], tell: seedPolicies }]
