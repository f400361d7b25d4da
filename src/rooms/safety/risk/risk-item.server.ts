import { problem } from '#kernel/errors.ts'
import { document } from '#rooms/documents/kinds/document.ts'
import { refusalOf } from '#rooms/documents/kinds/transitions.ts'
import type { Condition } from '#server/data/query-values.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { riskAssessment, riskItem } from './risk-assessment.ts'

/** The lines of the newest revision of their number. */
const ofNewestRevision: Condition = {
  sql: () =>
    't.document_id = (SELECT max(d.id) FROM document d WHERE d.client_id = t.client_id AND d.number = t.document_number AND NOT d.retired)',
}

/** Lines written one by one, as the specification's own calls do: only while the assessment is a draft. */
export const itemBehaviour = behaviour(riskItem, {
  // By number, the lines of its newest revision are meant; by document, those of any.
  narrow: (query) => (query.documentNumber && !query.document ? [ofNewestRevision] : []),
  prepare: async (c) => {
    const { before, changes, values } = c
    if (before && changes.document !== undefined)
      throw problem.conflict('A line stays in the assessment that it was written in.')
    const [doc] = values.document ? await c.lockAll(document, { id: values.document, kind: riskAssessment.kind }) : []
    if (!doc) throw problem.forbidden('You can look at this, but not change it.', 'read_only')
    const refusal = refusalOf('edit', doc)
    if (refusal) throw problem.conflict(refusal)
    // Retired is what is no longer done.
    return {
      ...(changes.retired ? { implemented: 'no' as const } : {}),
      ...(changes.probability || changes.severity ? { judged: true } : {}),
    }
  },
})
