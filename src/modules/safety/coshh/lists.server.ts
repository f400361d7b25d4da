import { text } from '#kernel/fields.ts'
import type { Route } from '#server/engine/route.ts'
import { listRoute } from '#server/http/list-route.ts'
import { coshhAssessment } from './coshh-assessment.ts'

const { resource } = coshhAssessment

/** What COSHH assessments are found by beside what every kind's are. */
export const coshhLists: readonly Route[] = [
  listRoute(
    resource,
    `${resource.url}/associated_list`,
    'The COSHH assessments of one’s company that a risk assessment can name',
    ({ me, query }) => ({
      query: { retired: 'false', ...query, q: query.q ?? query.search },
      extra: [{ sql: (next) => `t.client_id = ${next(me.clientId)}::int` }],
    }),
    { query: { search: text({ help: 'The same as `q`.' }) } },
  ),
]
