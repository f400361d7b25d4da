import { flag } from '#kernel/fields.ts'
import type { QueryCondition } from '#server/data/query-values.ts'
import type { Route } from '#server/engine/route.ts'
import { listRoute } from '#server/http/list-route.ts'
import { DOCUMENT_APPROVERS, DOCUMENT_AUTHORS, DOCUMENT_READERS } from '../rights.ts'
import { document } from '../types/document.ts'

/** Documents with an outstanding signature request to the user. */
const askedOf = (userId: number): QueryCondition => ({
  sql: (next) =>
    `EXISTS (SELECT FROM sign_off_person p WHERE p.client_id = t.client_id AND p.document_id = t.id AND p.user_id = ${next(userId)}::bigint AND p.state = 'asked')`,
})

/**
 * Documents in force without named signatories, which all readers are asked to sign, and which the user's own account
 * hasn't signed. A signature of an earlier revision may still be valid.
 */
const forEverybody = (userId: number): QueryCondition => ({
  sql: (next) => {
    const me = `${next(userId)}::bigint`
    const signed = 's.client_id = t.client_id AND s.mine AND s.user_id'
    return `NOT EXISTS (SELECT FROM signature s WHERE ${signed} = ${me} AND s.document_id = t.id)
      AND NOT EXISTS (SELECT FROM sign_off r WHERE r.client_id = t.client_id AND r.kind = t.kind AND r.number = t.number AND r.state = 'open')
      AND NOT ((t.change = 'minor' OR signed_by_paper(t.kind)) AND EXISTS (SELECT FROM signatures_carried(t.client_id, t.kind, t.number, t.revision, ${me})))`
  },
})

const either = (one: QueryCondition, other: QueryCondition): QueryCondition => ({
  sql: (next) => `(${one.sql(next)} OR ${other.sql(next)})`,
})

/** Drafts, and rejected revisions whose number has no new draft. */
const unfinished: QueryCondition = {
  sql: () =>
    "(t.state = 'draft' AND NOT t.retired OR t.state = 'rejected' AND NOT EXISTS (SELECT FROM document d WHERE d.client_id = t.client_id AND d.kind = t.kind AND d.number = t.number AND d.revision > t.revision))",
}

const own = (clientId: number): QueryCondition => ({ sql: (next) => `t.client_id = ${next(clientId)}::int` })

/** Excludes documents that the person wrote or completed, if the company requires a second person. */
const byAnother = (username: string): QueryCondition => ({
  sql: (next) => {
    const me = `${next(username)}::text`
    return `NOT ((coalesce(t.author, ${me}) = ${me} OR t.completed_by = ${me}) AND EXISTS (SELECT FROM client k WHERE k.id = t.client_id AND k.forbid_self_approval))`
  },
})

/** Lists of a user's own work: to approve, to sign and to finish. */
export const ownWorkRoutes: readonly Route[] = [
  listRoute(
    document,
    '/api/safety/documents/to_approve',
    'List the company’s complete documents that the user may approve',
    ({ me, query }) => ({
      query: { ...query, state: 'complete', retired: 'false' },
      extra: [own(me.clientId), byAnother(me.username)],
    }),
    { allow: DOCUMENT_APPROVERS },
  ),
  listRoute(
    document,
    '/api/safety/documents/to_sign',
    'List the current documents that the user is asked to sign, or that all readers sign, and hasn’t signed',
    ({ me, query }) => ({
      query,
      extra: [
        own(me.clientId),
        { sql: () => 't.current AND NOT t.is_template' },
        query.asked === 'false' ? forEverybody(me.userId) : either(askedOf(me.userId), forEverybody(me.userId)),
      ],
    }),
    {
      allow: DOCUMENT_READERS,
      query: { asked: flag({ help: 'False excludes documents the user was asked to sign by name.' }) },
    },
  ),
  listRoute(
    document,
    '/api/safety/documents/awaited',
    'List the documents in force with outstanding signatures that the user has requested',
    ({ me, query }) => ({
      query: { ...query, waiting: 'true' },
      extra: [
        own(me.clientId),
        {
          sql: (next) =>
            `EXISTS (SELECT FROM sign_off r WHERE r.client_id = t.client_id AND r.kind = t.kind AND r.number = t.number AND r.state = 'open' AND r.author = ${next(me.username)}::text)`,
        },
      ],
    }),
    { allow: DOCUMENT_AUTHORS },
  ),
  listRoute(
    document,
    '/api/safety/documents/to_finish',
    'List the user’s drafts, and rejected documents without a new draft',
    ({ me, query }) => ({
      query: { ...query, author: me.username },
      extra: [own(me.clientId), unfinished],
    }),
    { allow: DOCUMENT_AUTHORS },
  ),
]
