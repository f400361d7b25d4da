import { problem } from '#kernel/errors.ts'
import { readId } from '#kernel/iri.ts'
import { present } from '#server/engine/field-access.ts'
import type { Route } from '#server/engine/route.ts'
import { limitWords } from './limit-words.ts'
import { substance, substanceLimit } from './substance.ts'

/** A substance with its limits, as the client's own: how a template becomes something that can be changed. */
export const copySubstance: Route = {
  method: 'POST',
  path: `${substance.url}/{id}/copy`,
  title: 'Copy a substance and its limits to the own library',
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
        limits: limits.map(limitWords),
        keepBoth: true,
      })
      await made.saved()
      return () => present(substance, c.me, made)
    }),
}
