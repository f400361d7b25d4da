import type { Actor } from '#kernel/roles.ts'
import { plant } from '#rooms/documents/life/plant.server.ts'
import { riskAssessment } from '#rooms/safety/risk/risk-assessment.ts'
import { toolboxTalk } from '#rooms/safety/talks/toolbox-talk.ts'
import { type Reference, readReference } from '#server/data/reference.ts'
import type { Tx } from '#server/db/db.ts'

export interface Template {
  readonly title: string
  readonly industry: string
  readonly groupsAffected: readonly string[]
  readonly persons: string
  readonly hazards: readonly {
    readonly hazard: string
    readonly group: string
    readonly probability: number
    readonly severity: number
    readonly residualProbability: number
  }[]
}

const provider: Actor = { userId: 0, clientId: 0, username: 'Stanchion', name: 'Stanchion', roles: [], scopes: [] }
const standing = { clientId: 0, state: 'current', actor: provider } as const

/** The provider's documents to start from, as client 0's: current, sealed, to copy only. */
export const templates: Reference = {
  name: 'document templates',
  edition: 1,
  load: async (tx) => {
    const at = Temporal.Now.instant()
    for (const talk of readReference('toolbox-talks.json') as { title: string; points: string[] }[])
      await plant(tx, toolboxTalk, {
        ...standing,
        at,
        values: { title: talk.title, points: talk.points.map((text) => ({ text })), isTemplate: true },
      })
    for (const template of readReference('risk-templates.json') as Template[])
      await plant(tx, riskAssessment, {
        ...standing,
        at,
        values: { ...(await riskValues(tx, template)), isTemplate: true },
      })
  },
}

/** A template's values, its hazards and controls taken from the library. */
export async function riskValues(tx: Tx, t: Template): Promise<Record<string, unknown>> {
  const [industry] = await tx.rows<{ id: number }>('SELECT id FROM industry WHERE name = $1', [t.industry])
  const statements = await tx.rows<{ id: number; title: string; text: string }>(
    'SELECT id, title, text FROM standard_statement WHERE client_id = 0 AND is_default AND NOT retired ORDER BY id',
  )
  const tasks = await tx.rows<{ id: number; title: string; text: string }>(
    'SELECT id, title, text FROM task WHERE client_id = 0 AND NOT retired ORDER BY id LIMIT 6',
  )
  const kept = (path: string) => (s: { id: number; title: string; text: string }) => ({
    '@id': `/api/safety/${path}/${s.id}`,
    title: s.title,
    text: s.text,
  })
  const controls = []
  for (const h of t.hazards) controls.push(...(await hazardLines(tx, h, t.persons)))
  return {
    description: t.title,
    location: 'To be filled in for each site',
    industry: industry?.id,
    groupsAffected: t.groupsAffected,
    controls,
    methodStatement: {
      defaultStatements: statements.map(kept('standard_statements')),
      nonDefaultStatements: [],
      taskSelection: tasks.map(kept('tasks')),
    },
    emergencyContact: [1, 2, 3].map(() => ({ name: '', number: '' })),
    ppe: [],
    ppeItems: [],
    uploadedDocuments: [],
  }
}

async function hazardLines(tx: Tx, h: Template['hazards'][number], persons: string) {
  const found = await tx.rows<{
    id: number
    name: string
    description: string
    control_id: number
    control: string
    tier: string
  }>(
    `SELECT h.id, h.name, h.description, c.id AS control_id, c.name AS control, c.tier
     FROM hazard h JOIN hazard_group g ON g.client_id = 0 AND g.id = h.group_id JOIN hazard_control c ON c.client_id = 0 AND c.hazard_id = h.id
     WHERE h.client_id = 0 AND h.name = $1 AND g.name = $2 ORDER BY c.id`,
    [h.hazard, h.group],
  )
  const head = found[0]
  if (!head) throw new Error(`The library has no hazard "${h.hazard}"`)
  const judged = {
    hazard: head.id,
    hazardName: head.name,
    description: head.description,
    group: h.group,
    persons,
    probability: h.probability,
    severity: h.severity,
    residualProbability: h.residualProbability,
    residualSeverity: h.severity,
    judged: true,
    ppeReason: found.every((c) => c.tier === 'ppe') ? 'No other control is practicable for this task.' : '',
  }
  return [judged, ...found.map((c) => ({ ...judged, control: c.control_id, controlName: c.control, tier: c.tier }))]
}
