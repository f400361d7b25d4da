import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import type { Context } from '#server/engine/types.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { riskIndustry } from '../industry.ts'
import { hazard, hazardControl, hazardGroup } from '../library/hazard.ts'
import { createEmptyContacts } from '../shared-fields/contacts.ts'
import { SITE_PLACEHOLDER } from '../shared-fields/fields.ts'
import { loadDefaultStatements, loadTasksByTitle } from '../statements/named.server.ts'
import type { riskItem } from './risk-assessment.ts'

interface Template {
  readonly title: string
  readonly industry: string
  readonly groupsAffected: readonly string[]
  readonly persons: string
  /** Titles of library tasks for this work, in order. */
  readonly tasks: readonly string[]
  readonly hazards: readonly RatedHazard[]
}
/** Library hazard by name and group, with the template's suggested rating. */
interface RatedHazard {
  readonly hazard: string
  readonly group: string
  readonly probability: number
  readonly severity: number
  readonly residualProbability: number
}

/** Content of the system templates of risk assessments, from the provider's library. */
export async function loadRiskTemplates(c: Context): Promise<DocumentContent[]> {
  const templates: Template[] = readReferenceFile('risk-templates.json')
  const industries = new Map((await c.find(riskIndustry, {})).map((i) => [i.name, i.id]))
  const [statements, taskOf] = [await loadDefaultStatements(c), await loadTasksByTitle(c)]
  const library = await readLibrary(c)
  return templates.map((t) => ({
    description: t.title,
    location: SITE_PLACEHOLDER,
    industry: industries.get(t.industry) ?? null,
    groupsAffected: t.groupsAffected,
    controls: t.hazards.flatMap((h) => linesOf(library, h, t.persons)),
    methodStatement: {
      defaultStatements: statements,
      nonDefaultStatements: [],
      taskSelection: t.tasks.map(taskOf),
    },
    emergencyContact: createEmptyContacts(),
    ppe: [],
    ppeItems: [],
    uploadedDocuments: [],
  }))
}

interface Library {
  readonly groups: ReadonlyMap<number, string>
  readonly hazards: readonly RowOf<typeof hazard>[]
  readonly controls: ReadonlyMap<number, readonly RowOf<typeof hazardControl>[]>
}

async function readLibrary(c: Context): Promise<Library> {
  return {
    groups: new Map((await c.find(hazardGroup, {})).map((g) => [g.id, g.name])),
    hazards: await c.find(hazard, {}),
    controls: Map.groupBy(await c.find(hazardControl, {}), (control) => control.hazard),
  }
}

/** Lines of a hazard: one for the hazard and one per control. Throws if the library doesn't have the hazard. */
function linesOf(library: Library, h: RatedHazard, persons: string): ValuesOf<typeof riskItem>[] {
  const found = library.hazards.find((one) => one.name === h.hazard && library.groups.get(one.group) === h.group)
  const controls = (found && library.controls.get(found.id)) ?? []
  if (!found || !controls.length) throw new Error(`The library has no controls for the hazard "${h.hazard}"`)
  const judged = {
    hazard: found.id,
    hazardName: found.name,
    description: found.description,
    group: h.group,
    persons,
    probability: h.probability,
    severity: h.severity,
    residualProbability: h.residualProbability,
    residualSeverity: h.severity,
    judged: true,
    ppeReason: controls.every((one) => one.tier === 'ppe') ? 'No other control is practicable for this task.' : '',
  }
  return [judged, ...controls.map((one) => ({ ...judged, control: one.id, controlName: one.name, tier: one.tier }))]
}
