import { problem, type Violation, violation } from '#kernel/errors.ts'
import { isPlainObject } from '#kernel/forms/rows.ts'
import { iriOf, type RowOf, type ValuesOf } from '#kernel/resource.ts'
import { authorOf, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { raiseAction, retireRaisedActions } from '#modules/actions/raise.server.ts'
import { settleNamedPeople } from '#modules/documents/named-employees/check.server.ts'
import type { NamedPerson } from '#modules/documents/named-employees/name-places.ts'
import { document } from '#modules/documents/types/document.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import { type DocumentFacts, defineDocumentFeature, type RowPreparer } from '#modules/documents/types/kinds.server.ts'
import { DOCUMENT_TRANSITIONS, transitionRejectionMessage } from '#modules/documents/types/transitions.ts'
import type { QueryCondition } from '#server/data/values.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { guard } from '#server/engine/guard.ts'
import type { Context } from '#server/engine/types.ts'
import { controlWithHazard, groupLinesByHazard, isControlLine, isPlannedControl } from '../grid/rules.ts'
import { riskIndustry } from '../industry.ts'
import { hazard, hazardControl } from '../library/hazard.ts'
import { ppe } from '../library/ppe.ts'
import { ppeKeys, readRiskTemplates, templateHazardKey } from '../library/ready-made.server.ts'
import { createEmptyJobContacts } from '../shared-fields/contacts.ts'
import { COMPLETED_FOR_EACH_SITE_TEXT } from '../shared-fields/fields.ts'
import { loadTaskTitleLookup, loadTemplateStatements } from '../statements/search.server.ts'
import { coshhLinkRoutes } from './coshh-link.server.ts'
import { coshhLink } from './coshh-link.ts'
import { updateRiskLineConfirmation } from './prepare-lines.ts'
import { riskAssessment, riskItem } from './risk-assessment.ts'
import { resolvePpeItems } from './snapshots.ts'
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

const responsibleOf = ({ responsibility, responsible }: ValuesOf<typeof riskItem>): NamedPerson => ({
  employee: responsibility ?? 0,
  name: responsible ?? '',
})

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
    const [person] = await settleNamedPeople(c, [
      {
        path: 'responsibility',
        before: before && responsibleOf(before),
        next: responsibleOf({ ...before, ...values }),
      },
    ])
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
      ...(person && { responsibility: person.employee, responsible: person.name }),
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
  actions: {
    raiseAction: async (c) => {
      const { row } = c
      if (row.clientId !== c.actor.clientId)
        throw problem.forbidden('You can view this assessment but not change it.', 'read_only')
      const [revision] = await c.lockAll(document, { id: row.document, kind: riskAssessment.kind, isTemplate: false })
      if (!revision?.current)
        throw problem.conflict(
          'Corrective actions are raised from the revision in force. This revision is not in force.',
        )
      if (!isPlannedControl(row))
        throw problem.conflict('This is not a planned control. Corrective actions are raised from planned controls.')
      await raiseAction(c, c.input, {
        source: iriOf(riskAssessment.resource, revision.id),
        sourceTitle: revision.documentNumber,
        sourcePart: controlWithHazard(row),
      })
      return {}
    },
  },
})

/**
 * An assessment that is withdrawn without replacement retires its open corrective actions. Its next revision retains
 * them.
 */
const withdrawalGuard = guard(riskAssessment.resource, {
  retire: async (c, { current, documentNumber }) => {
    if (current) await retireRaisedActions(c, { sourceTitle: documentNumber })
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

/** Controls in place, each under its hazard. */
const riskFacts: DocumentFacts = {
  load: async (reader, ids) =>
    (await reader.find(riskItem, { document: ids }))
      .filter((line) => isControlLine(line) && !isPlannedControl(line))
      .map(({ document, hazardName, controlName }) => ({ document, topic: hazardName, statement: controlName })),
  ask: (topic) => `Which of these controls does the assessment have for “${topic}”?`,
}

export const riskAssessmentsFeature = defineDocumentFeature({
  pack: 'safety',
  resources: [riskItem, coshhLink],
  kinds: [riskAssessment],
  keptRows: { [riskAssessment.kind]: validateRiskLines },
  facts: { [riskAssessment.kind]: riskFacts },
  behaviours: [riskItemBehaviour],
  guards: [withdrawalGuard],
  routes: [...hazardSuggestionRoutes, ...coshhLinkRoutes],
  seeds: () => import('./demo.server.ts'),
})

/** Returns the content of the system templates for risk assessments, built from the provider's library. */
export async function loadRiskTemplates(c: Context): Promise<DocumentContent[]> {
  const industries = new Map((await c.find(riskIndustry, {})).map((i) => [i.name, i.id]))
  const [statements, taskOf] = [await loadTemplateStatements(c), await loadTaskTitleLookup(c)]
  const [hazards, equipment] = [await loadProviderHazards(c), await c.find(ppe, { client: PROVIDER_CLIENT_ID })]
  return readRiskTemplates().map((t) => {
    // Found by key, because a portal may have renamed the item.
    const worn = ppeKeys(t.ppe).flatMap((key) => equipment.find(({ templateKey }) => templateKey === key)?.id ?? [])
    return {
      description: t.title,
      location: COMPLETED_FOR_EACH_SITE_TEXT,
      industry: industries.get(t.industry) ?? null,
      groupsAffected: t.groupsAffected,
      controls: t.hazards.flatMap((h) => riskLinesOf(hazards(templateHazardKey(h)), h, t.persons)),
      methodStatement: {
        defaultStatements: statements(t.emergency),
        nonDefaultStatements: [],
        taskSelection: t.tasks.flatMap(taskOf),
      },
      emergencyContact: createEmptyJobContacts(),
      ppe: worn,
      ppeItems: resolvePpeItems(worn, equipment, []),
      uploadedDocuments: [],
    }
  })
}

interface ProviderHazard {
  readonly hazard: RowOf<typeof hazard>
  readonly controls: readonly RowOf<typeof hazardControl>[]
}

/**
 * Returns a function that finds a hazard of the provider's library by its key. Undefined if the provider has retired the
 * hazard or all of its controls; throws if there is no such hazard.
 */
async function loadProviderHazards(c: Context): Promise<(key: string) => ProviderHazard | undefined> {
  const hazards = new Map((await c.find(hazard, {})).map((one) => [one.templateKey, one]))
  const controls = Map.groupBy(await c.find(hazardControl, { retired: false }), (control) => control.hazard)
  return (key) => {
    const found = hazards.get(key)
    if (!found) throw new Error(`The library has no hazard "${key}"`)
    const own = found.retired ? undefined : controls.get(found.id)
    return own && { hazard: found, controls: own.sort((a, b) => a.id - b.id) }
  }
}

type RatedHazard = ReturnType<typeof readRiskTemplates>[number]['hazards'][number]

/** Returns a hazard's lines, with the template's ratings: one for the hazard and one for each control. */
function riskLinesOf(
  library: ProviderHazard | undefined,
  { group, persons, probability, severity, residualProbability, residualSeverity }: RatedHazard,
  templatePersons: string,
): ValuesOf<typeof riskItem>[] {
  if (!library) return []
  const { hazard: found, controls } = library
  const judged = {
    hazard: found.id,
    hazardName: found.name,
    description: found.description,
    group,
    persons: persons ?? templatePersons,
    probability,
    severity,
    residualProbability,
    residualSeverity,
    judged: true,
  }
  return [
    judged,
    ...controls.map(({ id, name, description, tier }) => ({
      ...judged,
      control: id,
      controlName: name,
      controlDescription: description,
      tier,
    })),
  ]
}
