import { accessScopeFor, canSeeField } from '#kernel/can.ts'
import { type Field, rolesAllowedToRead } from '#kernel/fields.ts'
import { cachePerResource } from '#kernel/per-declaration.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { meetsRowCondition } from '#kernel/row-rules.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { fieldsForEmbedRules, selectPlanFor } from '#server/data/plan.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import { type ConfidentialField, confidentialField } from './confidential-reads.ts'

/** Returns the fields of a resource that contain rows, each with the resource of its rows. */
const rowsOf = cachePerResource((r) =>
  Object.entries<Field>(r.fields).flatMap(([name, f]) =>
    f.kind === 'rows' && f.target ? [[name, f.target()] as const] : [],
  ),
)

const ownConfidentialFieldsOf = cachePerResource((r) =>
  Object.entries<Field>(r.fields).flatMap(([name, f]) => (f.confidential ? [confidentialField(name, f)] : [])),
)

/** True if the record or its rows have confidential fields. */
const hasConfidentialFields: (r: Resource) => boolean = cachePerResource(
  (r) => ownConfidentialFieldsOf(r).length > 0 || rowsOf(r).some(([, target]) => hasConfidentialFields(target)),
)

/**
 * Returns the confidential fields that have a value in a response, including those in its rows, such as `illness` or
 * `attendees.strokes`.
 */
export function findConfidentialFieldsIn(r: Resource, sent: ApiRecord): ConfidentialField[] {
  if (!hasConfidentialFields(r)) return []
  const inRows = rowsOf(r).flatMap(([name, target]) => {
    const found = ((sent[name] ?? []) as ApiRecord[]).flatMap((row) => findConfidentialFieldsIn(target, row))
    return [...new Map(found.map((f) => [f.name, { ...f, name: `${name}.${f.name}` }])).values()]
  })
  return [...ownConfidentialFieldsOf(r).filter(({ name }) => (sent[name] ?? null) !== null), ...inRows]
}

/** True if the record or its rows have fields that only some roles and the field's owner may see. */
export const hasOwnerFields: (r: Resource) => boolean = cachePerResource(
  (r) => Object.values<Field>(r.fields).some((f) => f.owner) || rowsOf(r).some(([, target]) => hasOwnerFields(target)),
)

const restrictedEmbedsOf = cachePerResource((r) =>
  Object.entries<Field>(r.fields).flatMap(([name, f]) =>
    f.embedFor ? [{ name, ...f.embedFor, judged: fieldsForEmbedRules(f) }] : [],
  ),
)

/** True if the record or its rows embed fields of a related record that only readers of that record may see. */
const hasRestrictedEmbeds: (r: Resource) => boolean = cachePerResource(
  (r) => restrictedEmbedsOf(r).length > 0 || rowsOf(r).some(([, target]) => hasRestrictedEmbeds(target)),
)

/** True if the visible fields of a record depend on its values. */
export const hasRowDependentFields: (r: Resource) => boolean = cachePerResource(
  (r) => hasOwnerFields(r) || hasRestrictedEmbeds(r),
)

/**
 * True if a record must be inspected before it is sent, because it has fields with owners, restricted fields of related
 * records, or confidential fields whose reads are audited. Any other record is written as text straight from its row.
 */
export const needsRowInspection: (r: Resource) => boolean = cachePerResource(
  (r) => hasRowDependentFields(r) || hasConfidentialFields(r),
)

/**
 * True if a response contains another client's name, through a relation. A transaction in one tenant can't read that
 * name.
 */
export const hasRelationsToOtherClients = cachePerResource((r) =>
  Object.values<Field>(r.fields).some((f) => f.embed && f.column !== 'client_id' && f.target?.().tenant === 'self'),
)

const guardedFieldsOf = cachePerResource((r) =>
  Object.entries<Field>(r.fields).flatMap(([name, f]) => (rolesAllowedToRead(f) ? [[name, f] as const] : [])),
)

/** Removes what the actor may not see from a record and its rows. */
export const hideInaccessibleFields = <S extends ApiRecord>(r: Resource, actor: Actor, sent: S): S => {
  // All fields are checked first, because a field that nobody sees may state the owner of another.
  const hidden = guardedFieldsOf(r).filter(([, f]) => !canSeeField(actor, f, sent))
  for (const [name] of hidden) delete sent[name]
  for (const one of restrictedEmbedsOf(r)) hideEmbeddedFields(actor, one, sent[one.name])
  for (const [name, target] of rowsOf(r))
    for (const row of (sent[name] ?? []) as ApiRecord[]) hideInaccessibleFields(target, actor, row)
  return sent
}

type RestrictedEmbed = ReturnType<typeof restrictedEmbedsOf>[number]

/** Removes the embedded fields of a related record if the actor may not read that record. */
function hideEmbeddedFields(actor: Actor, { by, fields, judged }: RestrictedEmbed, embedded: unknown): void {
  if (embedded === null || typeof embedded !== 'object') return
  const it = embedded as ApiRecord
  const { tenants, only } = accessScopeFor(actor, 'read', by())
  if (tenants === 'none' || (only && !meetsRowCondition(by(), only, it, actor)))
    for (const name of fields) it[name] = null
  for (const name of judged) delete it[name]
}

/**
 * Returns a written record as the actor may see it. Throws if the record has not been written yet, or has confidential
 * fields, whose reads must be logged (`readWrittenRecord`).
 */
export function serialiseWrittenRecord<R extends Resource>(r: R, actor: Actor, written: PendingWrite<R>): RecordOf<R> {
  if (hasConfidentialFields(r)) throw new Error(`Reads of the ${r.type} record must be logged`)
  return visibleWrittenRecord(r, actor, written)
}

/** Returns a written record as the actor may see it, without logging that its confidential fields were read. */
export function visibleWrittenRecord<R extends Resource>(r: R, actor: Actor, { stored }: PendingWrite<R>): RecordOf<R> {
  if (!stored) throw new Error(`The ${r.type} record has not been written yet`)
  return hideInaccessibleFields(r, actor, selectPlanFor(r).send(stored) as RecordOf<R>)
}
