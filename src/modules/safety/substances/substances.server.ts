import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import { parseId } from '#kernel/iri.ts'
import { londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { serialiseWrittenRecord } from '#server/engine/field-access.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { insertMissingRows, insertTrustedRows } from '#server/seed/fill.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { readDataSheetRoute } from '../data-sheets/read-sheet.server.ts'
import { assertLibraryNameUnused } from '../library/library.server.ts'
import type { PHYSICAL_FORMS } from './banding.ts'
import { normaliseCasNumbers, normaliseClpStatementCodes, validateSubstanceLabel } from './codes.ts'
import { clpLabelForStatements } from './labels.ts'
import { KNOWN_EXPOSURE_LIMITS } from './limits.ts'
import { copyExposureLimitValues, substance, substanceLimit, supplierAdviceIn } from './substance.ts'

/** Event: the data sheet of a substance was replaced by a newer one. */
export const dataSheetReplacedEvent = defineEvent({
  kind: 'substance.sheet-replaced',
  version: 1,
  payload: z.object({ substance: z.int() }),
})

interface Composed {
  readonly id: number
  readonly name: string
  readonly industry: string
  readonly form: (typeof PHYSICAL_FORMS)[number]['value']
  readonly hazardStatements: readonly string[]
  /** True if such products are usually not classified as hazardous to health. */
  readonly unclassified?: true
  readonly routes: readonly string[]
  /** Agents, as named in EH40, whose exposure limits apply. */
  readonly limits: readonly string[]
  readonly notes?: string
}

const SOURCE =
  'Assumed: typical of such products, not specific to a supplier. The supplier’s data sheet takes precedence.'

/** Substances provided as templates, owned by client 0. */
export const substanceReferenceData: ReferenceData = {
  name: 'substances',
  needs: ['provider'],
  edition: 1,
  load: async (c) => {
    const { substances }: { readonly substances: readonly Composed[] } = readReferenceFile('substances.json')
    const added = await insertMissingRows(
      c,
      substance,
      'templateKey',
      substances.map(({ id, name, industry, form, hazardStatements, unclassified = false, routes, notes }) => ({
        name,
        industry,
        form,
        hazardStatements: [...hazardStatements],
        unclassified,
        ...clpLabelForStatements(hazardStatements),
        routes: [...routes],
        notes: notes ?? '',
        source: SOURCE,
        templateKey: String(id),
      })),
    )
    const ids = new Set(added)
    const known = new Map((await c.find(substance, {})).map((row) => [row.templateKey, row.id]))
    await insertTrustedRows(
      c,
      substanceLimit,
      substances.flatMap(({ id, limits }) => {
        const of = known.get(String(id))
        return of !== undefined && ids.has(of) ? limits.map((agent, position) => limitOf(agent, of, position)) : []
      }),
    )
  },
}

/**
 * Returns the EH40 limit for an agent, marked as assumed to apply to the substance. Throws if EH40 has no limit for the
 * agent.
 */
function limitOf(agent: string, of: number, position: number) {
  const limit = KNOWN_EXPOSURE_LIMITS.find((one) => one.agent === agent)
  if (!limit) throw new Error(`There is no limit for "${agent}"`)
  const confidence = limit.confidence as 'high' | 'medium' | 'low'
  const { longPpm = null, longMgM3 = null, shortPpm = null, shortMgM3 = null } = limit
  const figures = { longPpm, longMgM3, shortPpm, shortMgM3 }
  const words = { agent, source: limit.source ?? '', notes: limit.notes ?? '', confidence, composed: true }
  return { substance: of, position, ...figures, ...words }
}

/** Route that copies a substance and its limits to the client's own library, where they can be edited. */
const copySubstanceRoute: Route = {
  method: 'POST',
  path: `${substance.url}/{id}/copy`,
  title: 'Copy a substance and its limits to the user’s own library',
  allow: substance.allow.create ?? 'nobody',
  whileImpersonating: true,
  handle: (c) =>
    c.engine.inTenant(c.me.clientId, { ...c.change(), resource: substance }, async (unit) => {
      const id = parseId(c.params.id)
      const from = id === undefined ? undefined : await unit.get(substance, id)
      if (!from) throw problem.notFound()
      const limits = await unit.find(substanceLimit, { substance: from.id })
      const made = await unit.create(substance, {
        name: from.name,
        supplier: from.supplier,
        industry: from.industry,
        form: from.form,
        hazardStatements: from.hazardStatements,
        precautions: from.precautions,
        unclassified: from.unclassified,
        pictograms: from.pictograms,
        signalWord: from.signalWord,
        boilingPoint: from.boilingPoint,
        casNumbers: from.casNumbers,
        ...supplierAdviceIn(from),
        routes: from.routes,
        notes: from.notes,
        limits: limits.map(copyExposureLimitValues),
        keepBoth: true,
      })
      await made.saved()
      return () => serialiseWrittenRecord(substance, c.me, made)
    }),
}

/**
 * Rules for substances. Validates the label, and derives its values from the hazard statements unless a value was set
 * manually.
 */
const substanceBehaviour = behaviour(substance, {
  beforeSave: async (c) => {
    const { before, changes, now } = c
    const codes = changes.hazardStatements && normaliseClpStatementCodes(changes.hazardStatements, 'hazard')
    const precautions = changes.precautions && normaliseClpStatementCodes(changes.precautions, 'precaution')
    const wrong = validateSubstanceLabel(changes, londonDate(now).toString())
    if (wrong.length) throw problem.invalid(wrong)
    const alike = { supplier: c.values.supplier ?? '' }
    await assertLibraryNameUnused(c, substance, { thing: 'a substance', alike })
    const label = codes && clpLabelForStatements(codes)
    const former = before && clpLabelForStatements(before.hazardStatements)
    const follows = (name: 'pictograms' | 'signalWord') =>
      changes[name] === undefined && (!before || String(before[name] ?? '') === String(former?.[name] ?? ''))
    return {
      ...(codes ? { hazardStatements: codes } : {}),
      ...(precautions ? { precautions } : {}),
      ...(changes.casNumbers ? { casNumbers: normaliseCasNumbers(changes.casNumbers) } : {}),
      ...(label && follows('pictograms') ? { pictograms: label.pictograms } : {}),
      ...(label && follows('signalWord') ? { signalWord: label.signalWord } : {}),
    }
  },
  afterSave: async (c) => {
    const { before, changes } = c
    if (before?.sheetDate && changes.sheetDate && changes.sheetDate > before.sheetDate)
      await c.emit(dataSheetReplacedEvent, { substance: before.id })
  },
})

export const substancesFeature = feature({
  pack: 'safety',
  resources: [substance, substanceLimit],
  behaviours: [substanceBehaviour],
  routes: [copySubstanceRoute, readDataSheetRoute],
  referenceData: [substanceReferenceData],
  seeds: () => import('./demo.server.ts'),
})
