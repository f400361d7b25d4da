import type { Actor } from '#kernel/roles.ts'
import { londonDate, now } from '#kernel/time.ts'
import type { State } from '#rooms/documents/kinds/states.ts'
import { plant, plantSignature } from '#rooms/documents/life/plant.server.ts'
import { riskAssessment } from '#rooms/safety/risk/risk-assessment.ts'
import { toolboxTalk } from '#rooms/safety/talks/toolbox-talk.ts'
import { readReference } from '#server/data/reference.ts'
import type { Tx } from '#server/db/db.ts'
import { riskValues, type Template } from './templates.ts'

interface Assessment {
  readonly clientId: number
  /** Which template it was made from. */
  readonly from: number
  readonly title: string
  readonly location: string
  readonly state: State
  /** Days ago. */
  readonly age: number
  /** Days from today. */
  readonly reviewIn?: number
  readonly signed?: readonly string[]
  /** Earlier revisions. */
  readonly revisions?: number
}

const CREW = ['Tomasz Nowak', 'Imran Ahmed', 'Bethan Davies', 'Liam O’Connor', 'Jack Barker']
const ASSESSMENTS: readonly Assessment[] = [
  {
    clientId: 1,
    from: 0,
    title: 'Re-roofing Unit 4, Kelham Works',
    location: 'Kelham Works, Sheffield',
    state: 'current',
    age: 40,
    reviewIn: 325,
    signed: CREW,
    revisions: 2,
  },
  {
    clientId: 1,
    from: 1,
    title: 'Drainage trench, Attercliffe Road',
    location: 'Attercliffe Road, Sheffield',
    state: 'current',
    age: 360,
    reviewIn: -6,
    signed: CREW.slice(0, 3),
  },
  {
    clientId: 1,
    from: 2,
    title: 'Soft strip of the former library',
    location: 'Surrey Street, Sheffield',
    state: 'complete',
    age: 2,
  },
  { clientId: 1, from: 3, title: 'Temporary supplies, Kelham Works', location: '', state: 'draft', age: 1 },
  {
    clientId: 1,
    from: 0,
    title: 'Chimney repairs without scaffold',
    location: 'Nether Edge',
    state: 'rejected',
    age: 12,
  },
  {
    clientId: 2,
    from: 4,
    title: 'Moving residents with a hoist',
    location: 'Willow Court, Bath',
    state: 'current',
    age: 90,
    reviewIn: 20,
    signed: ['Joanna Hughes', 'Deepa Patel'],
  },
  { clientId: 2, from: 5, title: 'Sharps and soiled linen', location: 'Willow Court, Bath', state: 'draft', age: 3 },
]

/** Safety documents of the demo world, in every state that one can be in. */
export async function documents(tx: Tx): Promise<void> {
  const all = readReference('risk-templates.json') as Template[]
  for (const a of ASSESSMENTS) await assessment(tx, a, all[a.from] as Template)
  await talks(tx)
}

async function personOf(tx: Tx, clientId: number): Promise<Actor> {
  const [user] = await tx.rows<{ id: number; username: string; name: string }>(
    "SELECT id, username, name FROM user_account WHERE client_id = $1 AND 'ROLE_CLIENT_ADMIN' = ANY(roles) ORDER BY id LIMIT 1",
    [clientId],
  )
  if (!user) throw new Error(`Client ${clientId} has nobody to write its documents`)
  return { userId: user.id, clientId, username: user.username, name: user.name, roles: [], scopes: [] }
}

const daysAgo = (days: number) => now().subtract({ hours: 24 * days })

async function assessment(tx: Tx, a: Assessment, template: Template): Promise<void> {
  const actor = await personOf(tx, a.clientId)
  const base = await riskValues(tx, template)
  const values = {
    ...base,
    description: a.title,
    location: a.location || null,
    project: a.title.split(',')[0],
    firstAider: 'Bethan Davies',
    personsAffected: 6,
    emergencyContact: [
      { name: 'Site manager', number: '07700 900123' },
      { name: 'Office', number: '01632 960101' },
      { name: '', number: '' },
    ],
    // A draft is in the middle of being written.
    ...(a.state === 'draft' ? { controls: (base.controls as unknown[]).slice(0, 9) } : {}),
  }
  const due = a.reviewIn === undefined ? undefined : londonDate(now()).add({ days: a.reviewIn }).toString()
  const count = a.revisions ?? 1
  let parent: number | undefined
  for (let revision = 1; revision <= count; revision++) {
    const last = revision === count
    parent = await plant(tx, riskAssessment, {
      clientId: a.clientId,
      values: last
        ? values
        : { ...values, firstAider: 'Rhys Ellis', controls: (base.controls as unknown[]).slice(0, -4) },
      state: last ? a.state : 'current',
      at: daysAgo(a.age + (count - revision) * 200),
      actor,
      ...(due ? { reviewDue: due } : {}),
      ...(parent ? { parent } : {}),
    })
  }
  for (const [i, name] of (a.signed ?? []).entries())
    await plantSignature(tx, riskAssessment, {
      clientId: a.clientId,
      documentId: parent as number,
      name,
      actor,
      at: daysAgo(a.age).add({ minutes: 30 + 7 * i }),
    })
}

async function talks(tx: Tx): Promise<void> {
  const actor = await personOf(tx, 1)
  const library = readReference('toolbox-talks.json') as { title: string; points: string[] }[]
  for (const [i, state] of (['current', 'current', 'complete', 'draft'] as const).entries()) {
    const talk = library[i * 3] as (typeof library)[number]
    const id = await plant(tx, toolboxTalk, {
      clientId: 1,
      values: { title: talk.title, points: talk.points.map((text) => ({ text })) },
      state,
      at: daysAgo(60 - i * 10),
      actor,
    })
    if (state !== 'current') continue
    const [presented] = await tx.rows<{ id: number }>(
      "INSERT INTO talk_presented (client_id, talk_id, title, presenter, place, date, start_time, finish_time, signed, author) VALUES (1, $1, $2, 'Priya Shah', 'Kelham Works', $3::date, '07:30', '07:42', 3, $4) RETURNING id",
      [id, talk.title, londonDate(daysAgo(20 - i)).toString(), actor.username],
    )
    await tx.rows(
      `INSERT INTO talk_attendee (client_id, presented_id, position, name, method, signed_at, absence)
       SELECT 1, $1, k, name, CASE WHEN k <= 3 THEN 'typed' END, CASE WHEN k <= 3 THEN now() - make_interval(days => 20) END, CASE WHEN k > 3 THEN 'On holiday' END
       FROM unnest($2::text[]) WITH ORDINALITY u (name, k)`,
      [presented?.id, CREW.slice(0, 4)],
    )
    await tx.rows('UPDATE talk_presented SET complete = true WHERE client_id = 1 AND id = $1', [presented?.id])
  }
}
