import type { Resource } from '#kernel/resource.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import type { RowCondition } from '#kernel/row-rules.ts'

/**
 * What is left of a condition among the rows of one client, `owner`: whose rows they are is settled. An index that has the rest of the
 * condition answers for them alone, without a look at each row.
 */
export const simplifyForTenant = (
  r: Pick<Resource, 'columns'>,
  c: RowCondition,
  actor: Actor,
  owner: number,
): RowCondition | boolean =>
  settle(c, (one) => {
    if (!('is' in one) || r.columns[one.field] !== 'client_id') return one
    if (one.is === "my company's") return owner === actor.clientId
    return one.is === "the provider's" ? owner === PROVIDER : one
  })

/**
 * What is left of a condition on rows of a record that the actor reads: that they may read the record is settled, and is not asked of each row
 * once more.
 */
export const simplifyForRows = (
  rows: Pick<Resource, 'fields'>,
  c: RowCondition,
  { by, record }: { readonly by: string; readonly record: unknown },
): RowCondition | boolean =>
  settle(c, (one) =>
    'is' in one && one.is === 'readable' && one.field === by && (one.as ?? rows.fields[by]?.target)?.() === record
      ? true
      : one,
  )

/** A condition in which each part that `of` knows is settled. */
function settle(c: RowCondition, of: (one: RowCondition) => RowCondition | boolean): RowCondition | boolean {
  if ('any' in c) {
    const left = c.any.map((one) => settle(one, of))
    return left.includes(true) || joined(left, (any) => ({ any }), false)
  }
  if ('all' in c) {
    const left = c.all.map((one) => settle(one, of))
    return !left.includes(false) && joined(left, (all) => ({ all }), true)
  }
  return of(c)
}

/** Those that are not settled, as one condition; `none` where all of them are. */
function joined(
  left: readonly (RowCondition | boolean)[],
  join: (several: readonly RowCondition[]) => RowCondition,
  none: boolean,
): RowCondition | boolean {
  const open = left.filter((one) => typeof one !== 'boolean')
  const [first, ...more] = open
  if (!first) return none
  return more.length ? join(open) : first
}
