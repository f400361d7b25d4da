import { text } from '#kernel/fields.ts'
import { toRowObjects } from '#kernel/forms/rows.ts'
import { toText } from '#kernel/text.ts'
import { londonDate } from '#kernel/time.ts'
import { reviewRequestValues } from '#modules/documents/review/request-review.ts'
import { type DocumentFacts, defineDocumentFeature } from '#modules/documents/types/kinds.server.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { Route } from '#server/engine/route.ts'
import { listRoute } from '#server/http/list-route.ts'
import { substance as substances } from '../substances/substance.ts'
import { dataSheetReplacedEvent } from '../substances/substances.server.ts'
import { coshhAssessment, coshhSubstance } from './coshh-assessment.ts'
import { COSHH_CONTROL_HIERARCHY } from './form.ts'
import {
  coshhTemplateReferenceData,
  prepareCoshhSubstances,
  validateCoshhSubstances,
} from './substance-snapshots.server.ts'

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const

/**
 * Event handler that requests a review of the assessments in force that use the substance, because its data sheet was
 * replaced. The reviews are due from today and remain listed, with reminders, until they are done. The assessments'
 * content doesn't change.
 */
const requestSheetReview = eventHandler(dataSheetReplacedEvent, {
  name: 'coshh.review-after-sheet',
  queue: 'events',
  run: async (c, { substance }) => {
    const documents = [...new Set((await c.find(coshhSubstance, { substance })).map((row) => row.document))]
    if (!documents.length) return
    const { resource } = coshhAssessment
    const today = londonDate(c.now)
    const name = (await c.get(substances, substance))?.name ?? ''
    const reason = `The data sheet for ${name} was replaced on ${today.toLocaleString('en-GB', DAY)}.`
    for (const row of await c.lockAll(resource, { id: documents, current: true, retired: false })) {
      const asked = reviewRequestValues(row, reason, today.toString())
      if (asked) await c.change(resource, row, asked)
    }
  },
})

const { resource } = coshhAssessment

/** Route that lists the company's COSHH assessments that a risk assessment can reference. */
const coshhListRoutes: readonly Route[] = [
  listRoute(
    resource,
    `${resource.url}/associated_list`,
    'List the COSHH assessments of the user’s company that a risk assessment can reference',
    ({ me, query }) => ({
      query: { retired: 'false', ...query, q: query.q ?? query.search },
      extra: [{ sql: (next) => `t.client_id = ${next(me.clientId)}::int` }],
    }),
    { query: { search: text({ help: 'Same as `q`.' }) } },
  ),
]

/** Controls in place, each under its kind. */
const coshhFacts: DocumentFacts = {
  load: async (reader, ids) =>
    (await reader.find(coshhAssessment.resource, { id: ids })).flatMap(
      ({ id, measures }: { readonly id: number; readonly measures?: unknown }) =>
        toRowObjects(measures).map(({ tier, text: statement }) => ({
          document: id,
          topic: COSHH_CONTROL_HIERARCHY.find(({ value }) => value === tier)?.label ?? '',
          statement: toText(statement),
        })),
    ),
  ask: (topic) => `Which of these controls does the assessment have under “${topic}”?`,
}

export const coshh = defineDocumentFeature({
  pack: 'safety',
  resources: [coshhSubstance],
  kinds: [coshhAssessment],
  keptRows: { [coshhAssessment.kind]: prepareCoshhSubstances },
  judgedRows: { [coshhAssessment.kind]: validateCoshhSubstances },
  facts: { [coshhAssessment.kind]: coshhFacts },
  routes: coshhListRoutes,
  handlers: [requestSheetReview],
  referenceData: [coshhTemplateReferenceData],
  seeds: () => import('./demo.server.ts'),
})
