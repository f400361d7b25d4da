import { canSeeField, scopeOf } from '#kernel/can.ts'
import { type Field, readRoles } from '#kernel/fields.ts'
import { perResource } from '#kernel/per-declaration.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { meetsRule } from '#kernel/row-rules.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { judgedBy } from '#server/data/plan.ts'

/** The resources whose records stand as rows in these, by field. */
const rowsOf = perResource((r) =>
  Object.entries<Field>(r.fields).flatMap(([name, f]) =>
    f.kind === 'rows' && f.target ? [[name, f.target()] as const] : [],
  ),
)

const confidentialOf = perResource((r) =>
  Object.entries<Field>(r.fields).flatMap(([name, f]) => (f.confidential ? [name] : [])),
)

/** The confidential fields that an answer holds, those of its rows too: `illness`, `attendees.strokes`. */
export const confidentialIn = (r: Resource, sent: ApiRecord): string[] => [
  ...confidentialOf(r).filter((name) => (sent[name] ?? null) !== null),
  ...rowsOf(r).flatMap(([name, target]) =>
    confidentialOf(target)
      .filter((inner) => ((sent[name] ?? []) as ApiRecord[]).some((row) => (row[inner] ?? null) !== null))
      .map((inner) => `${name}.${inner}`),
  ),
]

/** Are there fields that only their owner sees beside some roles, in the record or in its rows? */
export const hasOwners: (r: Resource) => boolean = perResource(
  (r) => Object.values<Field>(r.fields).some((f) => f.owner) || rowsOf(r).some(([, target]) => hasOwners(target)),
)

const partlyOf = perResource((r) =>
  Object.entries<Field>(r.fields).flatMap(([name, f]) =>
    f.embedFor ? [{ name, ...f.embedFor, judged: judgedBy(f) }] : [],
  ),
)

/** Are there relations of which some is for those alone who may read what they lead to, in the record or in its rows? */
const hasPartly: (r: Resource) => boolean = perResource(
  (r) => partlyOf(r).length > 0 || rowsOf(r).some(([, target]) => hasPartly(target)),
)

/** Does what is sent of a record depend on what stands in it? */
export const hasRowDependentFields: (r: Resource) => boolean = perResource((r) => hasOwners(r) || hasPartly(r))

/**
 * Is a record looked at before it is sent: for whose a field is, or for what is confidential, which leaves a trace? Any other is written
 * as text straight from its row.
 */
export const needsRowInspection: (r: Resource) => boolean = perResource(
  (r) =>
    hasRowDependentFields(r) ||
    confidentialOf(r).length > 0 ||
    rowsOf(r).some(([, target]) => confidentialOf(target).length > 0),
)

/** Does an answer name another client, as a relation leads to it? A transaction in one tenant does not see that one's name. */
export const namesOthers = perResource((r) =>
  Object.values<Field>(r.fields).some((f) => f.embed && f.column !== 'client_id' && f.target?.().tenant === 'self'),
)

const guardedOf = perResource((r) =>
  Object.entries<Field>(r.fields).flatMap(([name, f]) => (readRoles(f) ? [[name, f] as const] : [])),
)

/** The record, its rows included, without what the actor may not see of it. */
export const visible = <S extends ApiRecord>(r: Resource, actor: Actor, sent: S): S => {
  for (const [name, f] of guardedOf(r)) if (!canSeeField(actor, f, sent)) delete sent[name]
  for (const one of partlyOf(r)) veil(actor, one, sent[one.name])
  for (const [name, target] of rowsOf(r))
    for (const row of (sent[name] ?? []) as ApiRecord[]) visible(target, actor, row)
  return sent
}

type Partly = ReturnType<typeof partlyOf>[number]

/** Leaves out of what a relation leads to what is for its readers alone, where the actor is none. */
function veil(actor: Actor, { by, fields, judged }: Partly, embedded: unknown): void {
  if (embedded === null || typeof embedded !== 'object') return
  const it = embedded as ApiRecord
  const { tenants, only } = scopeOf(actor, 'read', by())
  if (tenants === 'none' || (only && !meetsRule(by(), only, it, actor))) for (const name of fields) it[name] = null
  for (const name of judged) delete it[name]
}
