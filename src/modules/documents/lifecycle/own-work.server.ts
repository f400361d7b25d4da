import { problem, type Violation, violation } from '#kernel/errors.ts'
import { flag } from '#kernel/fields.ts'
import { sanitiseAnswer } from '#kernel/forms/clean.ts'
import { formFieldsByName } from '#kernel/forms/fields-in.ts'
import { findDataLoss } from '#kernel/forms/losses.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { toStoredUpload, uploadsInAnswer } from '#kernel/forms/uploads.ts'
import { idFromResourceIri } from '#kernel/iri.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { filterReadableIds } from '#server/data/access-sql.ts'
import type { QueryCondition } from '#server/data/values.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { listRoute } from '#server/http/list-route.ts'
import { sanitiseAnswerHtml } from '#server/parse-html.ts'
import { sanitiseAnswers } from '../forms/routes.server.ts'
import { ANY_DOCUMENT_APPROVER_ROLES, ANY_DOCUMENT_AUTHOR_ROLES, ANY_DOCUMENT_READER_ROLES } from '../rights.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { documentUploads } from '../types/upload-fields.ts'

/** Returns a condition that selects documents that the user has been asked to sign but has not signed. */
const askedOf = (userId: number): QueryCondition => ({
  sql: (next) =>
    `EXISTS (SELECT FROM sign_off_person p WHERE p.client_id = t.client_id AND p.document_id = t.id AND p.user_id = ${next(userId)}::bigint AND p.state = 'asked')`,
})

/**
 * Returns a condition that selects documents that every reader should sign and that the user's own account has not
 * signed. Every reader should sign a document that has no open signature requests. Excludes documents for which the
 * user's signature of an earlier revision is still valid.
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

/** Condition that selects drafts, and rejected revisions whose document number has no new draft. */
const unfinished: QueryCondition = {
  sql: () =>
    "(t.state = 'draft' AND NOT t.retired OR t.state = 'rejected' AND NOT EXISTS (SELECT FROM document d WHERE d.client_id = t.client_id AND d.kind = t.kind AND d.number = t.number AND d.revision > t.revision))",
}

const own = (clientId: number): QueryCondition => ({ sql: (next) => `t.client_id = ${next(clientId)}::int` })

/**
 * Returns a condition that excludes documents that the person wrote or completed, if the company requires a second
 * person.
 */
const byAnother = (username: string): QueryCondition => ({
  sql: (next) => {
    const me = `${next(username)}::text`
    return `NOT ((coalesce(t.author, ${me}) = ${me} OR t.completed_by = ${me}) AND EXISTS (SELECT FROM client k WHERE k.id = t.client_id AND k.forbid_self_approval))`
  },
})

/**
 * Restricts the list of documents to those in force that the user still has to sign. The parameter `asked=false` excludes
 * documents with a signature request that names the user.
 */
export const narrowToDocumentsToSign = ({ me, query }: Pick<RouteContext, 'me' | 'query'>) => ({
  query,
  extra: [
    own(me.clientId),
    { sql: () => 't.current AND NOT t.is_template' },
    query.asked === 'false' ? forEverybody(me.userId) : either(askedOf(me.userId), forEverybody(me.userId)),
  ],
})

/**
 * Routes that list a user's own work: documents to approve, to sign and to finish, and documents with outstanding
 * signatures that the user has requested.
 */
export const userWorkListRoutes: readonly Route[] = [
  listRoute(
    document,
    '/api/safety/documents/to_approve',
    'List the company’s complete documents that the user may approve',
    ({ me, query }) => ({
      query: { ...query, state: 'complete', retired: 'false' },
      extra: [own(me.clientId), byAnother(me.username)],
    }),
    { allow: ANY_DOCUMENT_APPROVER_ROLES },
  ),
  listRoute(
    document,
    '/api/safety/documents/to_sign',
    'List the current documents that the user still has to sign, because the user was asked by name or because all readers sign them',
    narrowToDocumentsToSign,
    {
      allow: ANY_DOCUMENT_READER_ROLES,
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
    { allow: ANY_DOCUMENT_AUTHOR_ROLES },
  ),
  listRoute(
    document,
    '/api/safety/documents/to_finish',
    'List the user’s drafts, and rejected documents without a new draft',
    ({ me, query }) => ({
      query: { ...query, author: me.username },
      extra: [own(me.clientId), unfinished],
    }),
    { allow: ANY_DOCUMENT_AUTHOR_ROLES },
  ),
]

type Content = Readonly<Record<string, unknown>>

/** Kinds of field that a form stores as lists. The form validates the contents of these lists. */
const LISTS = new Set(['json', 'strings'])

/**
 * Cleans list and row values, in the type's own fields and in additional fields. Throws 422 if cleaning would lose a
 * value.
 */
export function sanitiseContent(kind: DocumentKind, schema: FormSchema, values: Content, before?: Content): Content {
  const fields = formFieldsByName(schema)
  const declared: Readonly<Record<string, { readonly kind: string }>> = kind.resource.fields
  const wrong: Violation[] = []
  const cleaned = Object.entries(values).flatMap(([name, value]) => {
    const [f, own] = [fields.get(name), kind.kept?.[name]]
    if (value === undefined) return []
    if (own) {
      const lost = own.wrong(value, name)
      wrong.push(...lost)
      return lost.length ? [] : [[name, own.clean(value, sanitiseAnswerHtml)]]
    }
    if (name === kind.picture) {
      const [picture] = uploadsInAnswer([value])
      if (!picture && value !== null && value !== '') wrong.push(violation(name, 'This picture can’t be opened'))
      return [[name, picture ? toStoredUpload(picture) : null]]
    }
    if (!f || f.kind === 'custom' || !LISTS.has(declared[name]?.kind ?? '')) return []
    wrong.push(...findDataLoss(f, value))
    return [[name, sanitiseAnswer(f, value, sanitiseAnswerHtml)]]
  })
  const answers = sanitiseAnswers(kind, schema, values, before)
  wrong.push(...answers.wrong)
  if (wrong.length) throw problem.invalid(wrong)
  return { ...Object.fromEntries(cleaned), ...answers.values }
}

/**
 * Pattern of the file URLs that the database function `files_named` finds in a document's content. Readers of the
 * document may read these files.
 */
const FILE = /^\/(api\/)?(safety\/)?uploaded_documents\/\d{1,18}$/

const filesIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? FILE.test(value)
      ? [value]
      : []
    : value !== null && typeof value === 'object'
      ? Object.values(value).flatMap(filesIn)
      : []

/**
 * Throws 400 if any field contains a file that the author can't access, because a document gives its readers access to
 * its files. Files in provider templates are shared.
 */
export async function assertFilesAccessible(c: Context, kind: DocumentKind, values: Content): Promise<void> {
  const words = Object.entries(values).flatMap(([name, value]) => (kind.rows.includes(name) ? [] : filesIn(value)))
  await assertReadable(c, [...documentUploads(kind, values).map((upload) => upload['@id']), ...words])
}

/** Throws 400 if a form outside documents contains files that the user can't access. */
export const assertFormFilesAccessible = (c: Context, schema: FormSchema, values: Content): Promise<void> =>
  assertReadable(c, [...documentUploads({ schema }, values).map((upload) => upload['@id']), ...filesIn(values)])

async function assertReadable(c: Context, named: readonly string[]): Promise<void> {
  const given = [...new Set(named)]
  if (!given.length) return
  // Accepts only this form of URL, because the database would not find any other and would seal the document without
  // its file.
  const ids = given.map((iri) => (FILE.test(iri) && idFromResourceIri(uploadedDocument, iri)) || 0)
  if (c.work.hasPending(uploadedDocument.table)) await c.work.flush()
  const known = await filterReadableIds(c.work.tx, c.actor, uploadedDocument, ids)
  const lost = given.find((_, i) => !known.has(ids[i] ?? 0))
  if (lost !== undefined) throw problem.unknownTarget(lost)
}
