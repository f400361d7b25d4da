import { type Instant, londonDate } from '#kernel/time.ts'
import { systemTemplateContent } from '#modules/documents/lifecycle/revisions.server.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { createDemoSignatureRequest, signDemoDocument } from '../demo-signatures.server.ts'
import { DEMO_CREW } from '../risk/demo.server.ts'
import { saveAttendanceSignature } from './attendance.server.ts'
import { presentedTalk, toolboxTalk } from './toolbox-talk.ts'

const TALKS = [
  { title: 'Slips, trips and falls', state: 'current', age: 60, presented: 20, late: 17 },
  { title: 'Ladders and stepladders', state: 'current', age: 50, presented: 19 },
  { title: 'Asbestos awareness', state: 'complete', age: 40 },
  { title: 'Hand-arm vibration', state: 'draft', age: 30 },
] as const

/** A talk that everyone signed but that has changed since, so that new signatures are requested. */
const CHANGED = { title: 'Manual handling', age: 130, asked: 128, changed: 4 }

/**
 * Creates a demo builder's talks. Two were presented on site. At one of these, a person was absent and signed late.
 * Another talk was changed after it was signed.
 */
async function seedTalks(engine: Engine): Promise<void> {
  const by = { clientId: 1, username: 'admin.brick' }
  const daysAgo = (days: number) => engine.clock.now().subtract({ hours: 24 * days })
  for (const t of TALKS) {
    const id = await seedAsUser(engine, { ...by, at: daysAgo(t.age) }, (c) => write(c, t.title, t.state))
    if ('presented' in t) {
      const at = daysAgo(t.presented)
      const given = await seedAsUser(engine, { ...by, at }, (c) => present(c, id, at))
      if ('late' in t) await seedAsUser(engine, { ...by, at: daysAgo(t.late) }, (c) => signLate(c, given))
    }
  }
  await tellChanged(engine)
}

async function tellChanged(engine: Engine): Promise<void> {
  const r = toolboxTalk.resource
  const { title, age, asked, changed } = CHANGED
  const scene = (username: string, ago: number) => ({
    clientId: 1,
    username,
    at: engine.clock.now().subtract({ hours: 24 * ago }),
  })
  const approve = (id: number, ago: number) =>
    seedAsUser(engine, scene('approver.brick', ago), (c) => c.act(r, 'approve', id, {}))
  const first = await seedAsUser(engine, scene('admin.brick', age), (c) => write(c, title, 'complete'))
  await approve(first, age)
  await createDemoSignatureRequest(engine, {
    title,
    asked,
    due: 14 - asked,
    notes: '',
    signed: Object.fromEntries(SIGNERS.map((who, i) => [who, asked - 1 - i])),
  })
  const next = await seedAsUser(engine, scene('admin.brick', changed), async (c) => {
    const former: DocumentContent | undefined = await c.get(r, first)
    const points = Array.isArray(former?.points) ? former.points : []
    const words: DocumentContent = {
      ...(await systemTemplateContent(c, toolboxTalk, title)),
      points: [...points, NEW_POINT],
      previous: first,
    }
    const { id } = await (await c.create(r, words)).saved()
    await c.act(r, 'complete', id, {})
    return id
  })
  await approve(next, changed)
  await signDemoDocument(engine, { title, username: 'liam.young', ago: changed - 1 })
}

const SIGNERS = [
  'admin.brick',
  'liam.young',
  'worker.brick',
  'nadia.rahman',
  'ewa.kowalska',
  'owen.price',
  'approver.brick',
]
const ABSENT = DEMO_CREW[3]
const NEW_POINT = { text: 'Sheets over 20 kg are lifted with the vacuum lifter or by two people.' }

async function write(c: Context, title: string, state: (typeof TALKS)[number]['state']): Promise<number> {
  const r = toolboxTalk.resource
  const { id } = await (await c.create(r, await systemTemplateContent(c, toolboxTalk, title))).saved()
  if (state !== 'draft') await c.act(r, 'complete', id, {})
  if (state === 'current') await c.act(r, 'approve', id, {})
  return id
}

/** Name of a visitor. The organisation in brackets distinguishes the visitor from employees. */
const VISITOR = 'Dana Whitfield (building control)'

async function present(c: Context, talk: number, at: Instant): Promise<number> {
  const given = await c.create(presentedTalk, {
    talk,
    presenter: 'Priya Shah',
    place: 'Kelham Works',
    date: londonDate(at).toString(),
    startTime: '07:30',
    finishTime: '07:42',
    attendees: [...DEMO_CREW.slice(0, 2), VISITOR, ABSENT].map((name) =>
      name !== ABSENT ? { name, method: 'typed', signedAt: at.toString() } : { name, absence: 'On holiday' },
    ),
  })
  const record = await given.saved()
  await c.change(presentedTalk, record, { complete: true })
  return record.id
}

/** Signs late for a person who was on holiday, on that person's next day on site. */
async function signLate(c: Context, presented: number): Promise<void> {
  const signing = { attendee: null, name: ABSENT, method: 'typed', strokes: null, visitor: true } as const
  await (await saveAttendanceSignature(c, presented, signing)).saved()
}

export const seeds: readonly DemoDataPart[] = [{ name: 'toolbox talks', needs: ['method statements'], tell: seedTalks }]
