import { londonDate } from '#kernel/time.ts'
import { systemTemplateContent } from '#modules/documents/lifecycle/revisions.server.ts'
import { document } from '#modules/documents/types/document.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { createDemoSignature } from '../demo-signatures.server.ts'
import { DEMO_CREW } from '../risk/demo.server.ts'
import { riskAssessmentInfo } from '../risk/risk-info.ts'
import { methodStatement } from './method-statement.ts'

interface Method {
  /** Title of both the risk assessment and the method statement. */
  readonly title: string
  /** Name of the source template. */
  readonly from: string
  readonly location: string
  readonly state: 'draft' | 'current'
  /** Number of days since the last status change. */
  readonly age: number
  /** Number of days from today to the start of the work. */
  readonly starts: number
}

const METHODS: readonly Method[] = [
  {
    title: 'Re-roofing Unit 4, Kelham Works',
    from: 'Repairing a pitched roof from a tower or scaffold',
    location: 'Kelham Works, Sheffield',
    state: 'current',
    age: 38,
    starts: -30,
  },
  {
    title: 'Footings of the lift shaft, Kelham Works',
    from: 'Digging a trench and laying drains',
    location: 'Kelham Works, Sheffield',
    state: 'draft',
    age: 2,
    starts: 12,
  },
]

/** Creates a demo builder's method statements: one in force and one draft. */
async function createMethodsDemo(engine: Engine): Promise<void> {
  const today = engine.clock.now()
  const daysAgo = (days: number) => today.subtract({ hours: 24 * days })
  for (const m of METHODS) {
    const by = (username: string) => ({ clientId: 1, username, at: daysAgo(m.age) })
    const starts = londonDate(today).add({ days: m.starts }).toString()
    const id = await seedAsUser(engine, by('admin.brick'), (c) => write(c, m, starts))
    if (m.state === 'draft') continue
    await seedAsUser(engine, by('approver.brick'), (c) => c.act(methodStatement.resource, 'approve', id, {}))
    for (const [i, name] of DEMO_CREW.slice(0, 3).entries())
      await seedAsUser(engine, { ...by('admin.brick'), at: daysAgo(m.age).add({ minutes: 40 + 5 * i }) }, (c) =>
        createDemoSignature(c, id, name),
      )
  }
}

async function write(c: Context, m: Method, startDate: string): Promise<number> {
  const r = methodStatement.resource
  const [assessment] = await c.find(document, { kind: riskAssessmentInfo.kind, title: m.title, current: true })
  const words: DocumentContent = {
    ...(await systemTemplateContent(c, methodStatement, m.from)),
    description: m.title,
    location: m.location,
    project: m.title.split(',')[0],
    startDate,
    duration: 'Three weeks',
    supervisor: 'Rhys Ellis',
    firstAider: 'Bethan Davies',
    assemblyPoint: 'Car park by the gatehouse',
    hospital: 'Northern General Hospital, Herries Road',
    riskAssessment: `/api/safety/risk_assessments/${assessment?.id}`,
    people: [
      { name: 'Rhys Ellis', role: 'Supervisor', tickets: ['SMSTS', 'First aid at work'], expires: null },
      ...DEMO_CREW.slice(0, 2).map((name) => ({ name, role: 'Operative', tickets: ['CSCS', 'PASMA'], expires: null })),
    ],
    emergencyContact: [
      { name: 'Site manager', number: '07700 900123' },
      { name: 'Office', number: '01632 960101' },
      { name: '', number: '' },
    ],
  }
  const { id } = await (await c.create(r, words)).saved()
  if (m.state === 'draft') return id
  const confirmed: DocumentContent = { unconfirmed: [] }
  await (await c.change(r, id, confirmed)).saved()
  await c.act(r, 'complete', id, {})
  return id
}

export const seeds: readonly DemoDataPart[] = [
  { name: 'method statements', needs: ['risk assessments'], tell: createMethodsDemo },
]
