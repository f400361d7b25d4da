import { problem } from '#kernel/errors.ts'
import { behaviour } from '#server/behaviour.ts'
import { hold } from '#server/data/held.ts'
import { riskAssessment, riskItem } from './risk-assessment.ts'

/** Lines written one by one, as the specification's own calls do: only while the assessment is a draft. */
export const itemBehaviour = behaviour(riskItem, {
  // By number, the lines of its newest revision are meant; by document, those of any.
  narrow: (query) =>
    query.documentNumber && !query.document
      ? [
          {
            sql: () =>
              't.document_id = (SELECT max(d.id) FROM document d WHERE d.client_id = t.client_id AND d.number = t.document_number AND NOT d.retired)',
          },
        ]
      : [],
  prepare: async (c) => {
    const { before, changes, values, work } = c
    if (before && changes.document !== undefined)
      throw problem.conflict('A line stays in the assessment that it was written in.')
    const [doc] = await hold(
      work.tx,
      riskAssessment.resource,
      work.clientId,
      (next) => `t.id = ${next(values.document)}::bigint`,
    )
    if (!doc) throw problem.forbidden('You can look at this, but not change it.')
    if (doc.complete)
      throw problem.conflict(
        `${String(doc.documentNumber)} revision ${String(doc.revision)} is complete and stands as it is. Begin the next revision to change it.`,
      )
    // Retired is what is no longer done.
    return {
      ...(changes.retired ? { implemented: 'no' as const } : {}),
      ...(changes.probability || changes.severity ? { judged: true } : {}),
    }
  },
})
