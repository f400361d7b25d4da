import { londonDate } from '#kernel/time.ts'
import { systemTemplateContent } from '#modules/documents/lifecycle/revisions.server.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { substance } from '../substances/substance.ts'
import { coshhAssessment } from './coshh-assessment.ts'
import { loadLibrarySubstance } from './substance-snapshots.server.ts'
import { proposeApproachForSubstanceUse, type SubstanceUse } from './substances-used.ts'

/** Use of one of the company's own substances in a demo assessment. */
interface Use {
  readonly of: string
  readonly quantity?: number
  readonly unit?: string
  readonly level?: string
  readonly notes?: string
}

const AUTHOR = { clientId: 1, username: 'admin.brick' } as const
const r = coshhAssessment.resource

/** Demo assessment for gluing worktops. Unlike in the template, no spray booth is used. */
const GLUING: DocumentContent = {
  process:
    'Adhesive is rolled on both faces with the windows open. After ten minutes they are pressed together. Excess is wiped off.',
  frequency: 'Weekly',
  duration: '15 minutes to an hour',
  measures: [
    { tier: 'substitute', text: 'Water-based adhesive wherever there is a day for it to dry.' },
    { tier: 'ventilation', text: 'Windows and doors stay open; nobody glues inside closed cupboards.' },
  ],
  lev: 'no',
  levExamined: null,
  worn: [],
  equipmentNotes: 'No smoking and no grinding nearby.',
  monitoring: 'no',
  monitoringReason: 'Two litres at a time with the windows open, once a week.',
  surveillance: 'no',
  surveillanceDetails: null,
  storage: 'Flammables store, in closed tins.',
  disposal: 'Residues and rags go into the closed metal bin and are collected as hazardous waste.',
  firstAid:
    'Inhaled: fresh air. Swallowed: do not induce vomiting, call 111. Eyes: rinse for 20 minutes. Skin: soap and water.',
  fire: 'Foam, dry powder or carbon dioxide. Leave the room and close the doors.',
  spillage: 'Put out all flames, open the windows, absorb with sand and seal it in the metal bin.',
}

const CONCLUSION: DocumentContent = {
  adequate: 'yes',
  adequateReason: 'No dust in the open, no bare skin, and no case of dermatitis in the last three years.',
  actions: [{ text: 'Replace the wash basin at the mixer.', owner: 'Site manager', due: '2026-12-18' }],
}

/** Creates two demo assessments: one in force, and a draft with an undecided substance. */
async function createCoshhDemo(engine: Engine): Promise<void> {
  const daysAgo = (days: number) => engine.clock.now().subtract({ hours: 24 * days })
  const id = await seedAsUser(engine, { ...AUTHOR, at: daysAgo(60) }, async (c) => {
    const made = await write(c, 'Mixing and laying mortar', 'Brickwork at Kelham Works', [
      {
        of: 'Ropegrip 42.5N cement',
        quantity: 250,
        unit: 'kg',
        level: 'low',
        notes: 'Wet mortar gives off no dust; bags are tipped outdoors. Skin and eyes are protected as below.',
      },
      {
        of: 'Brick and patio acid',
        quantity: 5,
        unit: 'l',
        level: 'medium',
        notes: 'Diluted one to ten, for the finished face.',
      },
    ])
    await (await c.change(r, made, CONCLUSION)).saved()
    await c.act(r, 'complete', made, {})
    return made
  })
  await seedAsUser(engine, { clientId: 1, username: 'approver.brick', at: daysAgo(58) }, (c) =>
    c.act(r, 'approve', id, { reviewDue: londonDate(c.engine.clock.now()).add({ days: 305 }).toString() }),
  )
  await seedAsUser(engine, { ...AUTHOR, at: daysAgo(2) }, (c) =>
    write(
      c,
      'Mixing and laying mortar',
      'Gluing worktops and linings',
      [
        { of: 'Trade contact adhesive', quantity: 2, unit: 'l', level: 'medium' },
        { of: 'Low-odour white spirit', notes: 'For wiping off glue.' },
      ],
      GLUING,
    ),
  )
}

/** Creates an assessment from a template, using the company's own substances. */
async function write(
  c: Context,
  from: string,
  name: string,
  uses: readonly Use[],
  more: DocumentContent = {},
): Promise<number> {
  const words: DocumentContent = {
    ...(await systemTemplateContent(c, coshhAssessment, from)),
    name,
    location: 'Kelham Works, Sheffield',
    personsAffected: 6,
    expectant: 'no',
    young: 'no',
    emergencyContact: [
      { name: 'Site manager', number: '07700 900123' },
      { name: 'Office', number: '01632 960101' },
      { name: '', number: '' },
    ],
    ...more,
  }
  const { id } = await (await c.create(r, words)).saved()
  const substances: SubstanceUse[] = []
  for (const use of uses) substances.push(await used(c, use))
  const rest: DocumentContent = { unconfirmed: [], substances }
  await (await c.change(r, id, rest)).saved()
  return id
}

async function used(c: Context, { of, ...use }: Use): Promise<SubstanceUse> {
  const [found] = await c.find(substance, { name: of })
  if (!found) throw new Error(`There is no substance "${of}"`)
  const row: SubstanceUse = { ...(await loadLibrarySubstance(c, found)), ...use }
  const { approach, formula } = proposeApproachForSubstanceUse(row)
  return { ...row, confirmed: approach === '?' ? '' : formula }
}

export const seeds: readonly DemoDataPart[] = [
  { name: 'COSHH assessments', needs: ['planned talks'], tell: createCoshhDemo },
]
