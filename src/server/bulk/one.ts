import { type BulkAction, type BulkChange, changesOf } from '#kernel/bulk.ts'
import { problem } from '#kernel/errors.ts'
import type { Resource, ValuesOf } from '#kernel/resource.ts'
import { sameValue } from '#server/data/difference.ts'
import type { Context } from '#server/engine/types.ts'

type Values = Readonly<Record<string, unknown>>

/** An action with its input. */
export interface BulkOperation {
  readonly action: BulkAction
  /** By field name, relations as ids. */
  readonly input: Values
}

/** Marks a changed record; for a changed field, its former value. */
export interface BulkRecordChange {
  readonly was?: unknown
}

/**
 * Applies the action to one record under its own rules: found, locked, permitted, in a valid state, validated and
 * audited. Returns `undefined` for a record that already has the value. Throws the record's error.
 */
export async function applyToOne(
  c: Context,
  r: Resource,
  id: number,
  { action, input }: BulkOperation,
): Promise<BulkRecordChange | undefined> {
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

/** Restores a field of one record. Returns `undefined` if it already has that value; throws if it has changed since. */
export async function restoreOne(
  c: Context,
  r: Resource,
  id: number,
  { change, input, was }: { readonly change: BulkChange; readonly input: Values; readonly was: unknown },
): Promise<BulkRecordChange | undefined> {
  const before: Values = await c.lock(r, id)
  const now = before[change.field]
  if (sameValue(now, was)) return undefined
  if (!sameValue(now, changesOf(change, input)[change.field]))
    throw problem.conflict('This record has been changed since. Reload it before you undo.')
  await c.change(r, id, { [change.field]: was } as ValuesOf<Resource>)
  return {}
}
