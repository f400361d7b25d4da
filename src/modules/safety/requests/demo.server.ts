import { londonDate } from '#kernel/time.ts'
import { renderPlainPdf } from '#modules/portal/files/demo-content.server.ts'
import { saveGeneratedFile } from '#modules/portal/files/upload.server.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { ramsRequest } from './rams-request.ts'

const CLIENT = 1
const SITE = 'Kelham Works, Sheffield'

interface DemoRamsRequest {
  readonly company: string
  readonly person: string
  readonly email: string
  readonly job: string
  readonly notes: string
  /** Number of days since the request was sent. `due` is the number of days until the due date. */
  readonly asked: number
  readonly due: number
  /** Number of days since the RAMS were received. */
  readonly came?: number
}

const REQUESTS: readonly DemoRamsRequest[] = [
  {
    company: 'Ridgeway Scaffolding Ltd',
    person: 'Dan Ridgeway',
    email: 'dan@ridgeway.example',
    job: 'Scaffold to the north and east faces, Unit 4',
    notes: 'Please include the handover certificate and the name of the weekly inspector.',
    asked: 4,
    due: 5,
  },
  {
    company: 'Don Valley Electrical',
    person: 'Meera Joshi',
    email: 'meera@donvalley.example',
    job: 'Temporary lighting and supplies, Unit 4',
    notes: 'Please include your isolation procedure.',
    asked: 9,
    due: 2,
    came: 1,
  },
]

/** Creates two RAMS requests to subcontractors: one open, one with RAMS received. */
async function seedRamsRequests(engine: Engine): Promise<void> {
  for (const one of REQUESTS) await tellRequest(engine, one)
}

async function tellRequest(engine: Engine, { asked, due, came, ...words }: DemoRamsRequest): Promise<void> {
  const ago = (days: number) => engine.clock.now().subtract({ hours: 24 * days })
  const wanted = londonDate(engine.clock.now()).add({ days: due }).toString()
  const id = await seedAsUser(engine, { clientId: CLIENT, username: 'admin.brick', at: ago(asked) }, async (c) => {
    const made = await c.create(ramsRequest, { ...words, site: SITE, due: wanted })
    return (await made.saved()).id
  })
  if (came === undefined) return
  const { company, job, person } = words
  const bytes = renderPlainPdf([
    company,
    `Risk assessment and method statement: ${job}`,
    '',
    SITE,
    `Written by ${person}`,
  ])
  await saveGeneratedFile(engine, CLIENT, { name: 'rams-unit-4-electrical.pdf', bytes }, async (kept) => {
    // The link holder has no account, so the portal itself logs what they do.
    const right = 'log what a link holder does'
    await seedAsUser(engine, { clientId: CLIENT, at: ago(came + 1) }, (c) =>
      c.withoutPermissionCheck(right).act(ramsRequest, 'open', id, {}),
    )
    await seedAsUser(engine, { clientId: CLIENT, at: ago(came) }, (c) =>
      c.withoutPermissionCheck(right).act(ramsRequest, 'receive', id, { file: { ...kept, sender: person, notes: '' } }),
    )
  })
}

export const seeds: readonly DemoDataPart[] = [{ name: 'RAMS requests', needs: ['RAMS packs'], tell: seedRamsRequests }]
