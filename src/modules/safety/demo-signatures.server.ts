import { iriOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import { signOff } from '#modules/documents/signoff/sign-off.ts'
import { document, signature } from '#modules/documents/types/document.ts'
import { documentReference } from '#modules/documents/types/reference.ts'
import { user } from '#modules/identity/people/user.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'

/** Demo signature request. Days are relative to today. */
interface Asking {
  readonly title: string
  readonly asked: number
  /** Number of days from today to the due date. */
  readonly due: number
  /** Usernames of the people asked to sign; if empty, everybody is asked. */
  readonly whom?: readonly string[]
  readonly notes: string
  /** Number of days since each person signed, by username. */
  readonly signed: Readonly<Record<string, number>>
  readonly excused?: { readonly who: string; readonly why: string; readonly ago: number }
}

const BUILDER = 1
const AUTHOR = 'admin.brick'

const ASKINGS: readonly Asking[] = [
  {
    title: 'Re-roofing Unit 4, Kelham Works',
    asked: 6,
    due: 8,
    notes: 'Please read it before you work on the roof.',
    signed: { 'liam.young': 5, 'approver.brick': 5, 'nadia.rahman': 3 },
    excused: { who: 'owen.price', why: 'On leave until the roof is finished', ago: 4 },
  },
  {
    title: 'Slips, trips and falls',
    asked: 12,
    due: 2,
    whom: ['worker.brick', 'liam.young', 'ewa.kowalska'],
    notes: '',
    signed: { 'liam.young': 11, 'ewa.kowalska': 9 },
  },
  {
    title: 'Health and safety policy',
    asked: 9,
    due: 14,
    whom: ['liam.young', 'ewa.kowalska', 'nadia.rahman', 'owen.price'],
    notes: 'We now have a second first aider.',
    signed: { 'liam.young': 8, 'ewa.kowalska': 6 },
  },
]

/**
 * Creates demo signature requests: some people have signed, one person is excused and one still has two days to sign.
 */
export async function createDemoSignatureRequests(engine: Engine): Promise<void> {
  for (const asking of ASKINGS) await createDemoSignatureRequest(engine, asking)
}

/** Requests signatures, signs for some people and excuses one person. */
export async function createDemoSignatureRequest(
  engine: Engine,
  { title, asked, due, whom, notes, signed, excused }: Asking,
) {
  const today = engine.clock.now()
  const scene = (username: string, ago: number) => ({
    clientId: BUILDER,
    username,
    at: today.subtract({ hours: 24 * ago }),
  })
  const day = (from: typeof today, days: number) => londonDate(from).add({ days }).toString()
  const request = await seedAsUser(engine, scene(AUTHOR, asked), async (c) => {
    const people = whom && (await idsOf(c, whom))
    const made = await c.create(signOff, {
      document: await inForce(c, title),
      ...(people ? { people } : { everybody: true }),
      due: day(c.now, 0),
      notes,
    })
    const { id } = await made.saved()
    // The database calculates the deadline from its own date, so the due date is set after the insert.
    await (await c.change(signOff, id, { due: day(today, due) })).saved()
    return id
  })
  for (const [username, ago] of Object.entries(signed)) await signDemoDocument(engine, { title, username, ago })
  if (!excused) return
  const { who, why, ago } = excused
  await seedAsUser(engine, scene(AUTHOR, ago), async (c) =>
    c.act(signOff, 'excuse', request, { people: await idsOf(c, [who]), reason: why }),
  )
}

/** Signs a demo document in the actor's or a visitor's name, after opening everything to which it refers. */
export async function createDemoSignature(c: Context, id: number, name?: string) {
  const visitor = name !== undefined && name !== c.actor.name
  const opened = (await partsOf(c, id)).map((part, i) => ({ part, name: '', seconds: 95 + 40 * i }))
  return c.create(signature, { document: id, method: 'typed', opened, ...(name ? { name, visitor } : {}) })
}

/** Returns the IRIs of everything to which a document refers, directly or through another document. */
async function partsOf(c: Context, id: number): Promise<string[]> {
  const found = new Set<string>()
  for (let level = [id]; level.length; ) {
    const rows = await c.find(documentReference, { document: level })
    level = rows.flatMap(({ target }) => (target && !found.has(iriOf(document, target)) ? target : []))
    for (const { target, file } of rows)
      found.add(target ? iriOf(document, target) : iriOf(uploadedDocument, file ?? 0))
  }
  return [...found]
}

/** Signs the document in force with this title, as the given user. */
export const signDemoDocument = (
  engine: Engine,
  { title, username, ago }: { title: string; username: string; ago: number },
) =>
  seedAsUser(
    engine,
    { clientId: BUILDER, username, at: engine.clock.now().subtract({ hours: 24 * ago }) },
    async (c) => {
      await (await createDemoSignature(c, await inForce(c, title))).saved()
    },
  )

async function inForce(c: Context, title: string): Promise<number> {
  const [found] = await c.find(document, { title, client: c.clientId, current: true })
  if (!found) throw new Error(`There is no document in force called "${title}"`)
  return found.id
}

const idsOf = async (c: Context, usernames: readonly string[]): Promise<number[]> =>
  (await c.withoutPermissionCheck('find the demo users asked to sign').find(user, { username: [...usernames] })).map(
    (u) => u.id,
  )
