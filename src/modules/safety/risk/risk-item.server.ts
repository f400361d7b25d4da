import { problem } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { author } from '#kernel/roles.ts'
import { document } from '#modules/documents/types/document.ts'
import { documentFeature } from '#modules/documents/types/kinds.server.ts'
import { refusalOf, TRANSITIONS } from '#modules/documents/types/transitions.ts'
import type { Condition } from '#server/data/query-values.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { groupLines, isControl } from '../grid/rules.ts'
import { coshhLinkRoutes } from './coshh-link.server.ts'
import { coshhLink } from './coshh-link.ts'
import { keepLines } from './keep-lines.server.ts'
import { riskAssessment, riskItem } from './risk-assessment.ts'
import { confirmLine } from './settle-lines.ts'
import { ofAnotherHazard } from './strange-controls.server.ts'
import { offerRoutes } from './suggestions.server.ts'

type Line = RowOf<typeof riskItem>

/** The lines of the newest revision of their number. */
const ofNewestRevision: Condition = {
  sql: () =>
    't.document_id = (SELECT max(d.id) FROM document d WHERE d.client_id = t.client_id AND d.number = t.document_number AND NOT d.retired)',
}

/** Lines written one by one, as the specification's own calls do: only while the assessment is a draft. */
const itemBehaviour = behaviour(riskItem, {
  // By number, the lines of its newest revision are meant; by document, those of any.
  extraFilters: (query) => (query.documentNumber && !query.document ? [ofNewestRevision] : []),
  beforeSave: async (c) => {
    const { before, changes, values } = c
    if (before && changes.document !== undefined)
      throw problem.conflict('A line stays in the assessment that it was written in.')
    const [doc] = values.document ? await c.lockAll(document, { id: values.document, kind: riskAssessment.kind }) : []
    if (!doc) throw problem.forbidden('You can look at this, but not change it.', 'read_only')
    const refusal = refusalOf(TRANSITIONS.edit, doc)
    if (refusal) throw problem.conflict(refusal)
    const { control = null, hazard = null } = values
    const isAnew = changes.control !== undefined || changes.hazard !== undefined
    const wrong = isAnew ? await ofAnotherHazard(c, [{ control, hazard, at: '' }]) : []
    if (wrong.length) throw problem.invalid(wrong)
    const { unconfirmed, confirmedBy, confirmedAt } = confirmLine({ ...before, ...values, ...changes }, before, {
      copied: false,
      by: author(c.actor).username,
      at: c.now.toString(),
    })
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
    if (!before || isControl(before)) return
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

/** The controls of a hazard's own line, as they stood before it was changed. */
async function controlsOf(c: Context, head: Line): Promise<Line[]> {
  const lines = await c.find(riskItem, { document: head.document, retired: false })
  const others = lines.filter((line) => line.id !== head.id)
  const all = [...others, head].sort((a, b) => a.position - b.position || a.id - b.id)
  return (
    groupLines(all)
      .find(([first]) => first?.id === head.id)
      ?.slice(1) ?? []
  )
}

export const risk = documentFeature({
  pack: 'safety',
  resources: [riskItem, coshhLink],
  kinds: [riskAssessment],
  keptRows: { [riskAssessment.kind]: keepLines },
  behaviours: [itemBehaviour],
  routes: [...offerRoutes, ...coshhLinkRoutes],
  seeds: () => import('./demo.server.ts'),
})
