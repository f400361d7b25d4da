import type { Resource } from '#kernel/resource.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import type { RowCondition } from '#kernel/row-rules.ts'

/**
 * What is left of a condition among the rows of one client, `owner`: whose rows they are is settled. An index that has the rest of the
 * condition answers for them alone, without a look at each row.
 */
export function settledFor(
  r: Pick<Resource, 'columns'>,
  c: RowCondition,
  actor: Actor,
  owner: number,
): RowCondition | boolean {
  if ('any' in c) {
    const left = c.any.map((one) => settledFor(r, one, actor, owner))
    return left.includes(true) || joined(left, (any) => ({ any }), false)
  }
  if ('all' in c) {
    const left = c.all.map((one) => settledFor(r, one, actor, owner))
    return !left.includes(false) && joined(left, (all) => ({ all }), true)
  }
  if (!('is' in c) || r.columns[c.field] !== 'client_id') return c
  if (c.is === "my company's") return owner === actor.clientId
  return c.is === "the provider's" ? owner === PROVIDER : c
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
