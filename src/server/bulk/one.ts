import { type BulkAction, type BulkChange, changesOf } from '#kernel/bulk.ts'
import { problem } from '#kernel/errors.ts'
import type { Resource, ValuesOf } from '#kernel/resource.ts'
import { sameValue } from '#server/data/difference.ts'
import type { Context } from '#server/engine/types.ts'

type Values = Readonly<Record<string, unknown>>

/** What is done to records. */
export interface Deed {
  readonly action: BulkAction
  /** By field name, relations as ids. */
  readonly input: Values
}

/** A record was changed; of a change of its field, what that said before. */
export interface Changed {
  readonly was?: unknown
}

/**
 * Does it to one record, by its own rules: found and locked, allowed, in a fitting state, validated, audited. Nothing for a record
 * that is so already. Throws what refuses.
 */
export async function actOnOne(
  c: Context,
  r: Resource,
  id: number,
  { action, input }: Deed,
): Promise<Changed | undefined> {
  if (!action.change) {
    await c.act(r, action.name, id, input)
    return {}
  }
  const { field } = action.change
  const value = changesOf(action.change, input)[field]
  const before: Values = await c.lock(r, id)
  if (sameValue(before[field], value)) return undefined
  await c.change(r, id, { [field]: value } as ValuesOf<Resource>)
  return { was: before[field] ?? null }
}

/** Gives one record back what its field said. Nothing for one that says so already; throws for one that says something else by now. */
export async function giveBackToOne(
  c: Context,
  r: Resource,
  id: number,
  { change, input, was }: { readonly change: BulkChange; readonly input: Values; readonly was: unknown },
): Promise<Changed | undefined> {
  const before: Values = await c.lock(r, id)
  const now = before[change.field]
  if (sameValue(now, was)) return undefined
  if (!sameValue(now, changesOf(change, input)[change.field])) throw problem.conflict('It has been changed since.')
  await c.change(r, id, { [change.field]: was } as ValuesOf<Resource>)
  return {}
}
