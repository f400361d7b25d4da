import { iriOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import { type PackDecision, packLink } from '#modules/documents/sharing/pack-link.ts'
import { document } from '#modules/documents/types/document.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { createSecretLink } from '#server/engine/secret-links.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { coshhInfo } from '../coshh/coshh-info.ts'
import { createDemoSignature } from '../demo-signatures.server.ts'
import { methodStatementInfo } from '../methods/method-info.ts'
import { DEMO_CREW } from '../risk/demo.server.ts'
import { riskAssessmentInfo } from '../risk/risk-info.ts'
import { toolboxTalkInfo } from '../talks/talk-info.ts'
import { ramsPack } from './rams-pack.ts'

const JOB = 'Re-roofing Unit 4, Kelham Works'
const CUSTOM_QUESTION_TYPES = [methodStatementInfo.kind, riskAssessmentInfo.kind, coshhInfo.kind, toolboxTalkInfo.kind]
/** Number of days since the pack was issued. */
const AGE = 30

/** Creates a demo pack for a complete job, signed by the workers: method statement, assessments and a talk. */
async function seedRamsPack(engine: Engine): Promise<void> {
  const at = engine.clock.now().subtract({ hours: 24 * AGE })
  const by = (username: string) => ({ clientId: 1, username, at })
  const id = await seedAsUser(engine, by('admin.brick'), async (c) => {
    const words: DocumentContent = {
      description: JOB,
      project: 'Re-roofing Unit 4',
      location: 'Kelham Works, Sheffield',
      startDate: londonDate(at).add({ days: 2 }).toString(),
      duration: 'Three weeks',
      mainContractor: 'Northern Build plc',
      supervisor: 'Rhys Ellis',
      telephone: '07700 900123',
      notes: 'Please read the method statement first. Call the supervisor before you send anyone onto the roof.',
      papers: (await papersOf(c)).map((one) => ({ target: one, file: null, notes: '' })),
    }
    const made = await (await c.create(ramsPack.resource, words)).saved()
    await c.act(ramsPack.resource, 'complete', made.id, {})
    return made.id
  })
  await seedAsUser(engine, by('approver.brick'), (c) => c.act(ramsPack.resource, 'approve', id, {}))
  for (const [i, name] of DEMO_CREW.slice(0, 3).entries())
    await seedAsUser(engine, { ...by('admin.brick'), at: at.add({ minutes: 30 + 5 * i }) }, (c) =>
      createDemoSignature(c, id, name),
    )
  for (const answer of ANSWERS) await answerByLink(engine, id, answer)
}

/** An answer by link, and the number of days after the pack's issue. */
interface DemoAnswer {
  readonly days: number
  readonly name: string
  readonly company: string
  readonly position: string
  readonly decision: PackDecision
  readonly comment: string
}

const ANSWERS: readonly DemoAnswer[] = [
  {
    days: 1,
    name: 'Colin Shaw',
    company: 'Kelham Estates',
    position: 'Building manager',
    decision: 'rejected',
    comment: 'The loading bay is used until 17:00. Please move the skip and the hoist to the yard.',
  },
  {
    days: 2,
    name: 'Ann Carter',
    company: 'Northern Build plc',
    position: 'Site manager',
    decision: 'accepted',
    comment: '',
  },
]

const LINK_DAYS_OF_DEMO = 90

/** Shares the pack by link. Its recipient answers an hour later. */
async function answerByLink(engine: Engine, id: number, { days, ...answer }: DemoAnswer): Promise<void> {
  const made = engine.clock.now().subtract({ hours: 24 * (AGE - days) })
  const right = 'log what a link holder does'
  const link = await seedAsUser(engine, { clientId: 1, username: 'admin.brick', at: made }, async (c) => {
    const one = await c.withoutPermissionCheck(right).create(packLink, {
      document: id,
      called: `${answer.name}, ${answer.company}`,
      person: answer.name,
      company: answer.company,
      until: londonDate(engine.clock.now()).add({ days: LINK_DAYS_OF_DEMO }).toString(),
      hash: createSecretLink(engine.config).hash,
    })
    return (await one.saved()).id
  })
  await seedAsUser(engine, { clientId: 1, at: made.add({ minutes: 60 }) }, async (c) => {
    await c.withoutPermissionCheck(right).act(packLink, 'open', link, {})
    const papers = await c.find(document, { id: await papersOf(c) })
    const opened = papers.map(({ id: paper, documentNumber, revision }, i) => ({
      part: iriOf(document, paper),
      name: `${documentNumber} revision ${revision}`,
      seconds: 40 + 15 * i,
    }))
    const given = { ...answer, opened: answer.decision === 'rejected' ? [] : opened }
    await c.withoutPermissionCheck(right).act(packLink, 'answer', link, { given })
  })
}

/** Returns the documents to include, one in force per document type. A document for the demo job is preferred. */
async function papersOf(c: Context): Promise<number[]> {
  const inForce = (await c.find(document, { current: true, kind: CUSTOM_QUESTION_TYPES })).filter(
    (d) => d.clientId === c.clientId,
  )
  return CUSTOM_QUESTION_TYPES.flatMap((kind) => {
    const all = inForce.filter((d) => d.kind === kind)
    return (all.find((d) => d.title === JOB) ?? all[0])?.id ?? []
  })
}

export const seeds: readonly DemoDataPart[] = [{ name: 'RAMS packs', needs: ['COSHH assessments'], tell: seedRamsPack }]
