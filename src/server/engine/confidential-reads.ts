import { type Field, type Iri, labelOf } from '#kernel/fields.ts'
import { idFromAnyIri, parseId } from '#kernel/iri.ts'
import { cachePerResource } from '#kernel/per-declaration.ts'
import { iriOf, labelOfType, type Resource } from '#kernel/resource.ts'
import { type Actor, authorOf, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { type AuditEvent, writeAuditEvents } from '#server/data/writing/audit-trace.ts'
import type { SqlConn } from '#server/db/db.ts'

/** Kinds of readers in the log of confidential reads. */
type ReaderKind = 'company' | 'provider' | 'reseller' | 'link'

/** A confidential field that was read, such as `attendees.strokes`, and its label. */
export interface ConfidentialField {
  readonly name: string
  readonly label: string
}

/** A read of confidential data of one record. */
export interface ConfidentialRead {
  /** Client that owns the record. */
  readonly clientId: number
  readonly resource: Resource
  readonly id: number
  /** Title of the record or, for a part, of its record; by default, the ID. */
  readonly title?: string | null | undefined
  /** IRI of the record of which the record is a part. */
  readonly partOf?: Iri | undefined
  readonly fields: readonly ConfidentialField[]
  /** Reason that the reader gave, where one is asked for. */
  readonly reason?: string | undefined
  /** Request whose stored response contains the data. */
  readonly requestId?: string
}

/** Verb of confidential reads in the audit trail. */
const CONFIDENTIAL_READ_VERB = 'look'

export const confidentialField = (name: string, field: Field): ConfidentialField => ({
  name,
  label: labelOf(name.slice(name.lastIndexOf('.') + 1), field),
})

/** A relation to the record of which a record is a part. */
interface OwningRelation {
  readonly name: string
  readonly target: Resource
}

/**
 * Returns the relation of a part, such as a signature, to its record: the relation by whose access rule everybody who
 * reads the part must be able to read the record. `undefined` for other records.
 */
export const owningRelation: (r: Resource) => OwningRelation | undefined = cachePerResource((r) => {
  for (const { unless, only } of r.allow.rows ?? []) {
    if (unless.length || !('field' in only) || !('is' in only) || only.is !== 'readable') continue
    const field = r.fields[only.field]
    if (field?.target) return { name: only.field, target: field.target() }
  }
  return undefined
})

/** Returns the ID of the record to which a relation in a response refers; `undefined` if it refers to none. */
export const relatedId = (sent: unknown): number | undefined =>
  sent !== null && typeof sent === 'object' && 'id' in sent ? parseId(String(sent.id)) : idFromAnyIri(sent)

/** Returns the kind of reader from the point of view of the record's client; of the real person while impersonating. */
function readerKindOf(actor: Actor, clientId: number): ReaderKind {
  if (actor.kind === 'bearer') return 'link'
  const home = authorOf(actor).clientId
  return home === clientId ? 'company' : home === PROVIDER_CLIENT_ID ? 'provider' : 'reseller'
}

/**
 * Logs a read of confidential data: the reader, the account used, the record and the names of the fields, but no values.
 * Names and labels are stored as they are now, because the log outlives them. The portal's own reads, such as for a PDF
 * that it stores, are not logged: they show nothing to anybody.
 */
export const logConfidentialRead = (conn: SqlConn, actor: Actor, read: ConfidentialRead): Promise<void> =>
  logConfidentialReads(conn, actor, [read])

/** Logs reads of several records by one person together. */
export async function logConfidentialReads(
  conn: SqlConn,
  actor: Actor,
  reads: readonly ConfidentialRead[],
): Promise<void> {
  if (actor.kind === 'system' || !reads.length) return
  await writeAuditEvents(
    conn,
    actor,
    reads.map((read) => toAuditEvent(actor, read)),
  )
}

/**
 * Logs the confidential reads of a request again, because its stored response is sent once more. `since`: time at which
 * the request began.
 */
export async function logRepeatedReads(
  tx: SqlConn,
  actor: Actor,
  { requestId, since }: { readonly requestId: string; readonly since: string },
): Promise<void> {
  const reads = await tx.rows<AuditEvent>(
    `SELECT client_id AS "clientId", type, row_id AS "rowId", verb, changes FROM audit
     WHERE verb = '${CONFIDENTIAL_READ_VERB}' AND at >= $1::timestamptz AND request_id = $2 AND user_id = $3`,
    [since, requestId, authorOf(actor).userId],
  )
  if (reads.length) await writeAuditEvents(tx, actor, reads)
}

const toAuditEvent = (actor: Actor, { clientId, resource: r, id, fields, ...read }: ConfidentialRead): AuditEvent => ({
  clientId,
  type: r.type,
  rowId: id,
  verb: CONFIDENTIAL_READ_VERB,
  ...(read.requestId ? { requestId: read.requestId } : {}),
  changes: {
    fields: fields.map(({ name }) => name),
    data: fields.map(({ label }) => label),
    record: iriOf(r, id),
    ...(read.partOf ? { partOf: read.partOf } : {}),
    recordName: read.title ? `${labelOfType(r.type)}: ${read.title}` : `${labelOfType(r.type)} ${id}`,
    readBy: readerKindOf(actor, clientId),
    name: authorOf(actor).name,
    ...(actor.original ? { asName: actor.name } : {}),
    ...(read.reason ? { reason: read.reason } : {}),
  },
})
