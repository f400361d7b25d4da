import { text } from '#kernel/fields.ts'
import { documentFeature } from '#modules/documents/types/kinds.server.ts'
import type { Route } from '#server/engine/route.ts'
import { listRoute } from '#server/http/list-route.ts'
import { coshhAssessment, coshhSubstance } from './coshh-assessment.ts'
import { prepareSubstances, validateSubstances } from './keep-substances.server.ts'
import { requestSheetReview } from './review-sheets.server.ts'
import { coshhTemplatesReference } from './templates.server.ts'

const { resource } = coshhAssessment

/** Additional lists of COSHH assessments. */
const coshhListRoutes: readonly Route[] = [
  listRoute(
    resource,
    `${resource.url}/associated_list`,
    'COSHH assessments of one’s company that a risk assessment can reference',
    ({ me, query }) => ({
      query: { retired: 'false', ...query, q: query.q ?? query.search },
      extra: [{ sql: (next) => `t.client_id = ${next(me.clientId)}::int` }],
    }),
    { query: { search: text({ help: 'Same as `q`.' }) } },
  ),
]

export const coshh = documentFeature({
  pack: 'safety',
  resources: [coshhSubstance],
  kinds: [coshhAssessment],
  keptRows: { [coshhAssessment.kind]: prepareSubstances },
  judgedRows: { [coshhAssessment.kind]: validateSubstances },
  routes: coshhListRoutes,
  handlers: [requestSheetReview],
  referenceData: [coshhTemplatesReference],
  seeds: () => import('./demo.server.ts'),
})
