import type { Condition } from '#server/data/query-values.ts'
import type { Route } from '#server/engine/route.ts'
import { listRoute } from '#server/http/list-route.ts'
import { document } from '../kinds/document.ts'
import { AUTHORS, READERS } from '../kinds/rights.ts'

/** Not by my own account: what others sign on my behalf, or under my name, I have not read. */
const notSignedBy = (userId: number): Condition => ({
  sql: (next) =>
    `NOT EXISTS (SELECT FROM signature s WHERE s.client_id = t.client_id AND s.document_id = t.id AND s.user_id = ${next(userId)}::bigint AND s.mine)`,
})

/** Drafts, and what was rejected until its number is taken up again. */
const unfinished: Condition = {
  sql: () =>
    "(t.state = 'draft' AND NOT t.retired OR t.state = 'rejected' AND NOT EXISTS (SELECT FROM document d WHERE d.client_id = t.client_id AND d.kind = t.kind AND d.number = t.number AND d.revision > t.revision))",
}

const own = (clientId: number): Condition => ({ sql: (next) => `t.client_id = ${next(clientId)}::int` })

/** What waits for one person: to be signed by them, and to be finished by them. */
export const ownWork: readonly Route[] = [
  listRoute(
    document,
    '/api/safety/documents/to_sign',
    'Current documents that the person who asks has not signed',
    ({ me, query }) => ({
      query,
      extra: [own(me.clientId), { sql: () => 't.current AND NOT t.is_template' }, notSignedBy(me.userId)],
    }),
    { allow: READERS },
  ),
  listRoute(
    document,
    '/api/safety/documents/to_finish',
    'Drafts of the person who asks, and what was rejected and not begun again',
    ({ me, query }) => ({
      query: { ...query, author: me.username },
      extra: [own(me.clientId), unfinished],
    }),
    { allow: AUTHORS },
  ),
]
