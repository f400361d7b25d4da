import { problem } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import { author } from '#kernel/roles.ts'
import type { Context } from '#server/engine/context.ts'
import { document } from '../kinds/document.ts'
import type { DocumentKind, DocumentRow } from '../kinds/kind.ts'
import type { SealEvent } from '../kinds/transitions.ts'
import { append } from './chain.server.ts'

/** What of a record is sealed, beside its form's own fields. */
const SEALED = [
  'documentNumber',
  'revision',
  'industry',
  'isTemplate',
  'author',
  'createdAt',
  'completedAt',
  'completedBy',
] as const

/** Kept in the rows, but no part of what they say. */
const ROW_KEYS = new Set(['clientId', 'client', 'document', 'documentNumber', 'position'])

type Content = Readonly<Record<string, unknown>>

/** What a completed revision says, whole: as it is sealed, compared and proven. */
export function subjectOf(kind: DocumentKind, row: DocumentRow): Content {
  const record: Content = row
  const own = Object.entries<Field>(kind.resource.fields).flatMap(([name, f]) =>
    f.within || f.kind === 'rows' || name === kind.title.field ? [name] : [],
  )
  const words = [...SEALED, kind.parent, ...own].map((name) => [
    name,
    kind.rows.includes(name) ? rowWords(record[name]) : record[name],
  ])
  return { kind: kind.kind, ...Object.fromEntries(words) }
}

const rowWords = (rows: unknown) =>
  Array.isArray(rows)
    ? rows.map((row: object) => Object.fromEntries(Object.entries(row).filter(([k]) => !ROW_KEYS.has(k))))
    : []

/** Seals a revision that has just been completed, as the database has it: from here on its words stand. */
export async function sealWords(c: Context, kind: DocumentKind, id: number): Promise<void> {
  const row = await c.get(kind.resource, id)
  if (!row) throw problem.notFound()
  const digest = await addLink(c, 'completed', id, subjectOf(kind, row))
  await c.set(kind.resource, row, { seal: digest }, 'seal')
}

/** Adds what has happened to a sealed revision to the chain. `by` is the revision that replaced it. */
export async function sealEvent(c: Context, event: Exclude<SealEvent, 'completed'>, id: number, by?: number) {
  const row = await c.get(document, id)
  if (!row?.seal) return
  const { documentNumber, revision, seal, decisionNote: note, reviewDue } = row
  const told = { approved: { note, reviewDue }, rejected: { note }, replaced: { by }, retired: {}, restored: {} }
  await addLink(c, event, id, { documentNumber, revision, seal, ...told[event] })
}

/** Adds a link about a document to the chain of the client; answers the fingerprint of its subject. */
export const addLink = (c: Context, event: SealEvent | 'signed', documentId: number, subject: Content) =>
  append(c.work.tx, c.clientId, { event, documentId, subject, at: c.now, by: author(c.actor).username })
