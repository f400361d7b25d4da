import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { type Instant, londonDate } from '#kernel/time.ts'
import { systemTemplateContent } from '#modules/documents/lifecycle/revisions.server.ts'
import { MANAGEMENT_AUDIENCE } from '#modules/documents/types/audience.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { type SeedContext, seedAsUser } from '#server/seed/seed-as.ts'
import { createDemoSignature } from '../demo-signatures.server.ts'
import type { HazardLine } from '../grid/line.ts'
import { groupLinesByHazard } from '../grid/rules.ts'
import { riskAssessment } from './risk-assessment.ts'

interface Assessment {
  readonly clientId: number
  readonly author: string
  /** Name of the source template. */
  readonly from: string
  readonly title: string
  readonly location: string | null
  readonly state: 'draft' | 'complete' | 'rejected' | 'current'
  /** Number of days since the last status change. */
  readonly age: number
  /** Number of days from today to the review. */
  readonly reviewIn?: number
  readonly signed?: readonly string[]
  /** Username of the approver. If undefined, the author approves. */
  readonly approver?: string
  /** Roles of the assessment's readers. If undefined, everyone can read it. */
  readonly audience?: readonly string[]
  /** Reason for the withdrawal, and the number of days since then. */
  readonly withdrawn?: { readonly ago: number; readonly why: string }
  /** True if the assessment has replaced an earlier revision. */
  readonly revised?: true
  /** Hazard whose residual risk is accepted, and the reason. */
  readonly left?: { readonly hazard: string; readonly reason: string }
}

/** Site workers of the demo builder. */
export const DEMO_CREW = ['Tomasz Nowak', 'Imran Ahmed', 'Bethan Davies', 'Liam O’Connor', 'Jack Barker'] as const

const BRICK = { clientId: 1, author: 'admin.brick', approver: 'approver.brick' } as const
const CARE = { clientId: 2, author: 'admin.care' } as const
const FOODS = { clientId: 3, author: 'tomasz.nowak' } as const
const HEIGHT = 'Roof repairs and other work at height'

const ASSESSMENTS: readonly Assessment[] = [
  {
    ...BRICK,
    from: HEIGHT,
    title: 'Re-roofing Unit 4, Kelham Works',
    location: 'Kelham Works, Sheffield',
    state: 'current',
    age: 40,
    reviewIn: 325,
    signed: DEMO_CREW,
    revised: true,
    left: {
      hazard: 'Fall through a fragile surface or rooflight',
      reason: 'The rooflights can’t be boarded over from below until the mezzanine is cleared.',
    },
  },
  {
    ...BRICK,
    from: 'Excavating and working in trenches',
    title: 'Drainage trench, Attercliffe Road',
    location: 'Attercliffe Road, Sheffield',
    state: 'current',
    age: 360,
    reviewIn: -6,
    signed: DEMO_CREW.slice(0, 3),
    left: {
      hazard: 'Striking a buried electric cable',
      reason: 'The street lighting cable stays live; it was exposed by hand, and is marked and covered.',
    },
  },
  {
    ...BRICK,
    from: 'Demolition and structural alteration',
    title: 'Soft strip of the former library',
    location: 'Surrey Street, Sheffield',
    state: 'complete',
    age: 2,
  },
  {
    ...BRICK,
    from: 'Electrical installation and maintenance',
    title: 'Temporary supplies, Kelham Works',
    location: null,
    state: 'draft',
    age: 1,
  },
  {
    ...BRICK,
    from: HEIGHT,
    title: 'Chimney repairs without scaffold',
    location: 'Nether Edge',
    state: 'rejected',
    age: 12,
  },
  {
    ...BRICK,
    from: HEIGHT,
    title: 'Gutters and rooflights, Neepsend depot',
    location: 'Neepsend, Sheffield',
    state: 'current',
    age: 150,
    reviewIn: 215,
    signed: DEMO_CREW.slice(2),
    withdrawn: { ago: 14, why: 'The depot has been sold: nobody works there any more.' },
  },
  {
    ...BRICK,
    from: 'General office work',
    title: 'Wages office: cash, keys and visitors',
    location: 'Head office, Sheffield',
    state: 'current',
    age: 70,
    reviewIn: 295,
    audience: MANAGEMENT_AUDIENCE,
  },
  {
    ...CARE,
    from: 'Moving and handling people and loads',
    title: 'Moving residents with a hoist',
    location: 'Willow Court, Bath',
    state: 'current',
    age: 90,
    reviewIn: 20,
    signed: ['Joanna Hughes', 'Deepa Patel'],
  },
  {
    ...CARE,
    from: 'Infection control and sharps',
    title: 'Sharps and soiled linen',
    location: 'Willow Court, Bath',
    state: 'draft',
    age: 3,
  },
  {
    ...BRICK,
    from: 'Excavating and working in trenches',
    title: 'Footings of the lift shaft, Kelham Works',
    location: 'Kelham Works, Sheffield',
    state: 'current',
    age: 345,
    reviewIn: 19,
    left: {
      hazard: 'Undermining walls, scaffolds or pavements',
      reason: 'The neighbour’s wall is underpinned only in the third week.',
    },
  },
  {
    ...FOODS,
    from: 'General office work',
    title: 'Order office and reception',
    location: 'Saltmarsh Quay, Ipswich',
    state: 'current',
    age: 380,
    reviewIn: -14,
  },
  {
    ...FOODS,
    from: 'Moving and handling people and loads',
    title: 'Pallets and roll cages',
    location: 'Saltmarsh Quay, Ipswich',
    state: 'complete',
    age: 5,
  },
]

const REVISED_AFTER_DAYS = 200

/** Creates risk assessments for two clients, in every status. */
async function seedRiskAssessments(engine: Engine): Promise<void> {
  const today = engine.clock.now()
  for (const a of ASSESSMENTS) {
    const scene = (at: Instant, username = a.author): SeedContext => ({ clientId: a.clientId, username, at })
    const decider = a.approver ?? a.author
    const at = daysBefore(today, a.age)
    const begun = daysBefore(today, a.age + (a.revised ? REVISED_AFTER_DAYS : 0))
    const first = await seedAsUser(engine, scene(begun), (c) => begin(c, a))
    await seedAsUser(engine, scene(begun, decider), (c) => decide(c, a, first))
    const id = a.revised ? await seedAsUser(engine, scene(at), (c) => begin(c, a, first)) : first
    if (a.revised) await seedAsUser(engine, scene(at, decider), (c) => decide(c, a, id))
    const { withdrawn } = a
    for (const [i, name] of (a.signed ?? []).entries())
      await seedAsUser(engine, scene(at.add({ minutes: 30 + 7 * i })), (c) => createDemoSignature(c, id, name))
    if (withdrawn)
      await seedAsUser(engine, scene(daysBefore(today, withdrawn.ago), decider), (c) =>
        c.act(riskAssessment.resource, 'withdraw', id, { note: withdrawn.why }),
      )
  }
}

const IMPROVED = 'Excavating and working in trenches'

/** Updates one of the provider's templates that a company has copied: adds a control and rewords a hazard. */
export async function updateDemoTemplate(engine: Engine): Promise<void> {
  const { resource: r, parent } = riskAssessment
  await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID }, async (c) => {
    const words = await systemTemplateContent(c, riskAssessment, IMPROVED)
    const lines = linesOf(words)
    const headOf = (name: string) => lines.find(({ hazardName, controlName }) => hazardName === name && !controlName)
    const [collapse, falls] = [headOf('Collapse of the trench sides'), headOf('People falling into the excavation')]
    if (!collapse || !falls) throw new Error(`The template "${IMPROVED}" has other hazards`)
    const reworded = lines.map((line) =>
      line === falls ? { ...line, description: `${String(line.description)} ${NEW_WORDS}` } : line,
    )
    const next: DocumentContent = {
      ...words,
      origin: null,
      isTemplate: true,
      reviewReason: 'Trench inspection control added after two industry incidents',
      controls: [...reworded, { ...collapse, ...NEW_CONTROL }],
      [parent]: words.origin,
    }
    const { id } = await (await c.create(r, next)).saved()
    await c.act(r, 'complete', id, {})
    await c.act(r, 'approve', id, {})
  })
}

const NEW_WORDS = 'After dark, spoil hides the edge.'

const NEW_CONTROL = {
  control: null,
  controlName: 'A named person who can stop the work inspects the sides before each shift and after rain',
  tier: 'administrative',
}

const daysBefore = (at: Instant, days: number): Instant => at.subtract({ hours: 24 * days })

/**
 * Creates an assessment from its template, or as the next revision of `former`. Completes the assessment, unless it is
 * meant to remain a draft.
 */
async function begin(c: Context, a: Assessment, former?: number): Promise<number> {
  const kind = riskAssessment
  const lines = await systemTemplateContent(c, kind, a.from)
  const early = a.revised && former === undefined
  const words: DocumentContent = {
    ...lines,
    description: a.title,
    location: a.location,
    project: a.title.split(',')[0],
    firstAider: early ? 'Rhys Ellis' : 'Bethan Davies',
    personsAffected: 6,
    emergencyContact: [
      { name: 'Site manager', number: '07700 900123' },
      { name: 'Office', number: '01632 960101' },
      { name: '', number: '' },
    ],
    controls: controlsOf(a, lines, early),
    [kind.parent]: former ?? null,
  }
  const { id } = await (await c.create(kind.resource, words)).saved()
  if (a.state === 'draft') return id
  await confirmAll(c, id)
  await c.act(kind.resource, 'complete', id, {})
  return id
}

/** Approves or rejects a complete assessment, depending on its state in the demo data. */
async function decide(c: Context, a: Assessment, id: number): Promise<void> {
  const r = riskAssessment.resource
  if (a.state === 'rejected') await c.act(r, 'reject', id, { note: 'The rescue plan is missing.' })
  if (a.state === 'current')
    await c.act(r, 'approve', id, {
      reviewDue: reviewDue(c, a),
      ...(a.audience ? { audience: [...a.audience] } : {}),
    })
}

/** Confirms all answers copied from the template. */
async function confirmAll(c: Context, id: number): Promise<void> {
  const row: DocumentContent | undefined = await c.get(riskAssessment.resource, id)
  const controls = row ? linesOf(row).map((line) => ({ ...line, unconfirmed: false })) : []
  const words: DocumentContent = { unconfirmed: [], controls }
  await (await c.change(riskAssessment.resource, id, words)).saved()
}

const reviewDue = (c: Context, { reviewIn }: Assessment): string | null =>
  reviewIn === undefined ? null : londonDate(c.engine.clock.now()).add({ days: reviewIn }).toString()

const linesOf = ({ controls }: DocumentContent): HazardLine[] => (Array.isArray(controls) ? controls : [])

/** Returns the hazard lines from the template, rated for the site. */
function controlsOf({ state, left }: Assessment, words: DocumentContent, early: boolean | undefined): HazardLine[] {
  if (state === 'draft') return linesOf(words).slice(0, 9)
  const lines = early ? firstHazards(words) : linesOf(words)
  return lines.map((line) =>
    left && line.hazardName === left.hazard ? { ...line, residualProbability: 2, residualReason: left.reason } : line,
  )
}

/** Returns the hazard lines of the first revision. The last hazard is omitted, because the second revision adds it. */
const firstHazards = (words: DocumentContent): HazardLine[] => groupLinesByHazard(linesOf(words)).slice(0, -1).flat()

export const seeds: readonly DemoDataPart[] = [
  { name: 'risk assessments', needs: ['substances'], tell: seedRiskAssessments },
]
