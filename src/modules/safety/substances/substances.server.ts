import { problem } from '#kernel/errors.ts'
import { readId } from '#kernel/iri.ts'
import { londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { present } from '#server/engine/field-access.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { assertNameUnused } from '../library/same-name.server.ts'
import { normaliseCodes, validateLabel } from './codes.ts'
import { labelOfStatements } from './labels.ts'
import { copiedLimitValues } from './limit-words.ts'
import { substanceReference } from './reference.server.ts'
import { sheetReplacedEvent } from './sheet-replaced.ts'
import { substance, substanceLimit } from './substance.ts'

/** Copies a substance with its limits to the client's own library, where it can be edited. */
const copySubstanceRoute: Route = {
  method: 'POST',
  path: `${substance.url}/{id}/copy`,
  title: 'Copy a substance and its limits to one’s own library',
  allow: substance.allow.create ?? 'nobody',
  handle: (c) =>
    c.engine.inTenant(c.me.clientId, { ...c.change(), resource: substance }, async (unit) => {
      const id = readId(c.params.id)
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
        routes: from.routes,
        notes: from.notes,
        limits: limits.map(copiedLimitValues),
        keepBoth: true,
      })
      await made.saved()
      return () => present(substance, c.me, made)
    }),
}

/** Label values follow from the statements unless set by hand. */
const substanceBehaviour = behaviour(substance, {
  beforeSave: async (c) => {
    const { before, changes, now } = c
    const codes = changes.hazardStatements && normaliseCodes(changes.hazardStatements)
    const precautions = changes.precautions && normaliseCodes(changes.precautions)
    const wrong = validateLabel(changes, londonDate(now).toString())
    if (wrong.length) throw problem.invalid(wrong)
    const alike = { supplier: c.values.supplier ?? '' }
    await assertNameUnused(c, substance, { thing: 'substance', alike })
    const label = codes && labelOfStatements(codes)
    const former = before && labelOfStatements(before.hazardStatements)
    const follows = (name: 'pictograms' | 'signalWord') =>
      changes[name] === undefined && (!before || String(before[name] ?? '') === String(former?.[name] ?? ''))
    return {
      ...(codes ? { hazardStatements: codes } : {}),
      ...(precautions ? { precautions } : {}),
      ...(label && follows('pictograms') ? { pictograms: label.pictograms } : {}),
      ...(label && follows('signalWord') ? { signalWord: label.signalWord } : {}),
    }
  },
  afterSave: async (c) => {
    const { before, changes } = c
    if (before?.sheetDate && changes.sheetDate && changes.sheetDate > before.sheetDate)
      await c.emit(sheetReplacedEvent, { substance: before.id })
  },
})

export const substances = feature({
  pack: 'safety',
  resources: [substance, substanceLimit],
  behaviours: [substanceBehaviour],
  routes: [copySubstanceRoute],
  referenceData: [substanceReference],
  seeds: () => import('./demo.server.ts'),
})
