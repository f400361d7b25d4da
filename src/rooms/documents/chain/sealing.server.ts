import { problem } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import { author } from '#kernel/roles.ts'
import type { Context } from '#server/behaviour.ts'
import { hold } from '#server/data/held.ts'
import type { Row } from '#server/data/plan.ts'
import type { DocumentKind } from '../kinds/kind.ts'
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

/** What a completed revision says, whole: as it is sealed, compared and proven. */
export function subjectOf(kind: DocumentKind, row: Row): Record<string, unknown> {
  const own = Object.entries<Field>(kind.resource.fields).flatMap(([name, f]) =>
    f.within || f.kind === 'rows' || name === kind.title.field ? [name] : [],
  )
  const said = [...SEALED, kind.parent, ...own].map((name) => [
    name,
    kind.rows.includes(name)
      ? (row[name] as Row[]).map((r) => Object.fromEntries(Object.entries(r).filter(([k]) => !ROW_KEYS.has(k))))
      : row[name],
  ])
  return { kind: kind.kind, ...Object.fromEntries(said) }
}

/** The record as it stands in this transaction, locked. */
export async function standing(c: Context, kind: DocumentKind, id: number): Promise<Row> {
  const [row] = await hold(c.work.tx, kind.resource, c.work.clientId, (next) => `t.id = ${next(id)}::bigint`)
  if (!row) throw problem.notFound()
  return row
}

/** Seals a revision that has just been completed: from here on its words stand. */
export async function sealCompleted(c: Context, kind: DocumentKind, id: number): Promise<void> {
  await c.work.flush()
  const digest = await append(c.work.tx, c.work.clientId, {
    event: 'completed',
    documentId: id,
    subject: subjectOf(kind, await standing(c, kind, id)),
    at: c.now,
    by: author(c.actor).username,
  })
  await c.work.tx.rows('UPDATE document SET seal = $3 WHERE client_id = $1 AND id = $2', [c.work.clientId, id, digest])
}

/** Adds what has happened to a sealed revision to the chain. */
export async function sealEvent(
  c: Context,
  event: 'approved' | 'rejected' | 'replaced' | 'retired' | 'restored' | 'signed',
  row: Pick<Row, 'id'> & Record<string, unknown>,
  more: Record<string, unknown> = {},
): Promise<void> {
  await append(c.work.tx, c.work.clientId, {
    event,
    documentId: row.id,
    subject: { documentNumber: row.documentNumber, revision: row.revision, seal: row.seal, ...more },
    at: c.now,
    by: author(c.actor).username,
  })
}
