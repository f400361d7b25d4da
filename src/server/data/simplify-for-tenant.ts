import type { Resource } from '#kernel/resource.ts'
import { type Actor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { RowCondition } from '#kernel/row-rules.ts'

/**
 * Simplifies a condition for the rows of one client, `owner`, so that an index on the remaining condition can be used
 * without checking each row.
 */
export const simplifyConditionForTenant = (
  r: Pick<Resource, 'columns'>,
  c: RowCondition,
  actor: Actor,
  owner: number,
): RowCondition | boolean =>
  replaceDecided(c, (one) => {
    if (!('is' in one) || r.columns[one.field] !== 'client_id') return one
    if (one.is === "my company's") return owner === actor.clientId
    return one.is === "the provider's" ? owner === PROVIDER_CLIENT_ID : one
  })

/**
 * Simplifies a condition on the rows of a record that the actor is reading, so that access to the record is not checked
 * again for each row.
 */
export const simplifyConditionForRows = (
  rows: Pick<Resource, 'fields'>,
  c: RowCondition,
  { by, record }: { readonly by: string; readonly record: unknown },
): RowCondition | boolean =>
  replaceDecided(c, (one) =>
    'is' in one && one.is === 'readable' && one.field === by && (one.as ?? rows.fields[by]?.target)?.() === record
      ? true
      : one,
  )

/**
 * Applies `of` to each part of a condition and leaves out the parts that it decides. Returns true or false if these
 * decide the whole condition.
 */
function replaceDecided(c: RowCondition, of: (one: RowCondition) => RowCondition | boolean): RowCondition | boolean {
  if ('any' in c) {
    const left = c.any.map((one) => replaceDecided(one, of))
    return left.includes(true) || joinUndecided(left, (any) => ({ any }), false)
  }
  if ('all' in c) {
    const left = c.all.map((one) => replaceDecided(one, of))
    return !left.includes(false) && joinUndecided(left, (all) => ({ all }), true)
  }
  return of(c)
}

/** Joins the undecided parts into one condition; returns `none` if there are no undecided parts. */
function joinUndecided(
  left: readonly (RowCondition | boolean)[],
  join: (several: readonly RowCondition[]) => RowCondition,
  none: boolean,
): RowCondition | boolean {
  const open = left.filter((one) => typeof one !== 'boolean')
  const [first, ...more] = open
  if (!first) return none
  return more.length ? join(open) : first
}
