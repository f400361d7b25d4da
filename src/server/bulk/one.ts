import { changesOf } from '#kernel/bulk.ts'
import type { Resource, ValuesOf } from '#kernel/resource.ts'
import { same } from '#server/data/difference.ts'
import type { Context } from '#server/engine/context.ts'
import type { BulkAsk } from './ask.ts'

/**
 * Does it to one record, by its own rules: found and locked, allowed, in a fitting state, validated, audited. False for a record
 * that is so already. Throws what refuses.
 */
export async function actOnOne(
  c: Context,
  r: Resource,
  id: number,
  { action, input }: Pick<BulkAsk, 'action' | 'input'>,
): Promise<boolean> {
  if (!action.change) {
    await c.act(r, action.name, id, input)
    return true
  }
  const changes = changesOf(action.change, input)
  const before: Readonly<Record<string, unknown>> = await c.lock(r, id)
  if (Object.entries(changes).every(([name, value]) => same(before[name], value))) return false
  await c.change(r, id, changes as ValuesOf<Resource>)
  return true
}
