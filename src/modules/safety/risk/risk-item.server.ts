import { problem, type Violation, violation } from '#kernel/errors.ts'
import { isPlainObject } from '#kernel/forms/rows.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { document } from '#modules/documents/types/document.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import { defineDocumentFeature, type RowPreparer } from '#modules/documents/types/kinds.server.ts'
import { DOCUMENT_TRANSITIONS, transitionRejectionMessage } from '#modules/documents/types/transitions.ts'
import type { QueryCondition } from '#server/data/values.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { groupLinesByHazard, isControlLine } from '../grid/rules.ts'
import { riskIndustry } from '../industry.ts'
import { hazard, hazardControl, hazardGroup } from '../library/hazard.ts'
import { createEmptyJobContacts } from '../shared-fields/contacts.ts'
import { COMPLETED_FOR_EACH_SITE_TEXT } from '../shared-fields/fields.ts'
import { loadDefaultStatements, loadTaskTitleLookup } from '../statements/search.server.ts'
import { coshhLinkRoutes } from './coshh-link.server.ts'
import { coshhLink } from './coshh-link.ts'
import { updateRiskLineConfirmation } from './prepare-lines.ts'
import { riskAssessment, riskItem } from './risk-assessment.ts'
import { hazardSuggestionRoutes } from './suggestions.server.ts'

/** A line's references to the library, and its path for errors. */
interface LineLibraryReference {
  readonly control: number | null
  readonly hazard: number | null
  readonly at: string
}

/** Returns violations for controls that belong to another hazard in the library. */
async function findMisplacedControls(c: Context, lines: readonly LineLibraryReference[]): Promise<Violation[]> {
  const named = lines.filter((line) => line.control !== null && line.hazard !== null)
  const ids = [...new Set(named.flatMap(({ control }) => control ?? []))]
  const hazards = new Map((ids.length ? await c.find(hazardControl, { id: ids }) : []).map((it) => [it.id, it.hazard]))
  return named.flatMap(({ control, hazard, at }) => {
    const its = hazards.get(control ?? 0)
    return its === undefined || its === hazard
      ? []
      : [violation(`${at}control`, 'This control belongs to another hazard. Please choose a control for this hazard')]
  })
}

/**
 * Validates the lines of an assessment. Throws 422 if a library control belongs to another hazard. Skips combinations
 * of hazard and control that are already saved.
 */
const validateRiskLines: RowPreparer = async (c, { next, before }) => {
  const [lines, former] = [linesIn(next), linesIn(before ?? {})]
  const isSaid = (line: LineLibraryReference) =>
    former.some((one) => one.control === line.control && one.hazard === line.hazard)
  const wrong = await findMisplacedControls(
    c,
    lines.flatMap((line, i) => (isSaid(line) ? [] : [{ ...line, at: `controls[${i}].` }])),
  )
  if (wrong.length) throw problem.invalid(wrong)
  return {}
}

const idOf = (value: unknown) => (typeof value === 'number' ? value : null)
const linesIn = ({ controls }: Readonly<Record<string, unknown>>): LineLibraryReference[] =>
  Array.isArray(controls)
    ? controls
        .filter(isPlainObject)
        .map(({ control, hazard }) => ({ control: idOf(control), hazard: idOf(hazard), at: '' }))
    : []

type RiskItemRow = RowOf<typeof riskItem>

/** SQL condition that matches the lines of a document number's newest revision. */
const ofNewestRevision: QueryCondition = {
  sql: () =>
    't.document_id = (SELECT max(d.id) FROM document d WHERE d.client_id = t.client_id AND d.number = t.document_number AND NOT d.retired)',
}

/**
 * Rules for lines that are saved one at a time, using the endpoints that the specification defines. Lines can be saved
 * only while the assessment is a draft.
 */
const riskItemBehaviour = behaviour(riskItem, {
  // Filtering by document number finds only the newest revision's lines. Filtering by document finds the lines of any
  // revision.
  extraFilters: (query) => (query.documentNumber && !query.document ? [ofNewestRevision] : []),
  beforeSave: async (c) => {
    const { before, changes, values } = c
    if (before && changes.document !== undefined) throw problem.conflict('A line can’t be moved to another assessment.')
    const [doc] = values.document ? await c.lockAll(document, { id: values.document, kind: riskAssessment.kind }) : []
    if (!doc) throw problem.forbidden('You can view this assessment but not change it.', 'read_only')
    const refusal = transitionRejectionMessage(DOCUMENT_TRANSITIONS.edit, doc)
    if (refusal) throw problem.conflict(refusal)
    const { control = null, hazard = null } = values
    const isAnew = changes.control !== undefined || changes.hazard !== undefined
    const wrong = isAnew ? await findMisplacedControls(c, [{ control, hazard, at: '' }]) : []
    if (wrong.length) throw problem.invalid(wrong)
    const { unconfirmed, confirmedBy, confirmedAt } = updateRiskLineConfirmation(
      { ...before, ...values, ...changes },
      before,
      {
        copied: false,
        by: authorOf(c.actor).username,
        at: c.now.toString(),
      },
    )
    return {
      ...(before?.unconfirmed && !unconfirmed
        ? { unconfirmed: false, confirmedBy: String(confirmedBy), confirmedAt: String(confirmedAt) }
        : { unconfirmed: before ? undefined : false }),
      ...(changes.retired === false ? { retiredWith: null } : {}),
      ...(changes.probability || changes.severity ? { judged: true } : {}),
    }
  },
  afterSave: async (c) => {
    const { before, changes } = c
    if (!before || isControlLine(before)) return
    if (changes.retired === true)
      for (const line of await controlsOf(c, before))
        await c.change(riskItem, line, { retired: true, retiredWith: before.id })
    if (changes.retired === false)
      for (const line of await c.find(riskItem, { document: before.document, retiredWith: before.id }))
        await c.change(riskItem, line, { retired: false })
    if (before.unconfirmed && changes.unconfirmed === false)
      for (const line of await controlsOf(c, before))
        if (line.unconfirmed) await c.change(riskItem, line, { unconfirmed: false })
  },
})

/** Returns the controls of a hazard line, as they were before the change. */
async function controlsOf(c: Context, head: RiskItemRow): Promise<RiskItemRow[]> {
  const lines = await c.find(riskItem, { document: head.document, retired: false })
  const others = lines.filter((line) => line.id !== head.id)
  const all = [...others, head].sort((a, b) => a.position - b.position || a.id - b.id)
  return (
    groupLinesByHazard(all)
      .find(([first]) => first?.id === head.id)
      ?.slice(1) ?? []
  )
}

export const riskAssessmentsFeature = defineDocumentFeature({
  pack: 'safety',
  resources: [riskItem, coshhLink],
  kinds: [riskAssessment],
  keptRows: { [riskAssessment.kind]: validateRiskLines },
  behaviours: [riskItemBehaviour],
  routes: [...hazardSuggestionRoutes, ...coshhLinkRoutes],
  seeds: () => import('./demo.server.ts'),
})

interface Template {
  readonly title: string
  readonly industry: string
  readonly groupsAffected: readonly string[]
  readonly persons: string
  /** Titles of the library tasks for this work, in order. */
  readonly tasks: readonly string[]
  readonly hazards: readonly RatedHazard[]
}
/** Library hazard, identified by name and group, with the rating that the template suggests. */
interface RatedHazard {
  readonly hazard: string
  readonly group: string
  readonly probability: number
  readonly severity: number
  readonly residualProbability: number
}

/** Returns the content of the system templates for risk assessments, built from the provider's library. */
export async function loadRiskTemplates(c: Context): Promise<DocumentContent[]> {
  const templates: Template[] = readReferenceFile('risk-templates.json')
  const industries = new Map((await c.find(riskIndustry, {})).map((i) => [i.name, i.id]))
  const [statements, taskOf] = [await loadDefaultStatements(c), await loadTaskTitleLookup(c)]
  const library = await readLibrary(c)
  return templates.map((t) => ({
    description: t.title,
    location: COMPLETED_FOR_EACH_SITE_TEXT,
    industry: industries.get(t.industry) ?? null,
    groupsAffected: t.groupsAffected,
    controls: t.hazards.flatMap((h) => linesOf(library, h, t.persons)),
    methodStatement: {
      defaultStatements: statements,
      nonDefaultStatements: [],
      taskSelection: t.tasks.map(taskOf),
    },
    emergencyContact: createEmptyJobContacts(),
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

/**
 * Returns a hazard's lines: one for the hazard and one for each control. Throws if the library doesn't contain the
 * hazard or has no controls for it.
 */
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
