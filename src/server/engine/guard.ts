import { retiredField } from '#kernel/bulk.ts'
import type { Resource, RowOf, ValuesOf } from '#kernel/resource.ts'
import { sameFieldValue } from '#server/data/difference.ts'
import type { Row } from '#server/data/plan.ts'
import type { AnyBehaviour } from './behaviour.ts'
import type { Context } from './types.ts'

/**
 * What a feature asks before a stored record of another is changed, whichever way the change comes: each function throws a Problem where
 * that may not be.
 */
export interface Guard<R extends Resource = Resource> {
  /** Before the record is retired or deleted. */
  readonly retire?: (c: Context, row: RowOf<R>) => Promise<void> | void
  /** Before a field changes, by the field's name; `to` is its new value. */
  readonly change?: {
    readonly [F in keyof ValuesOf<R>]?: (c: Context, row: RowOf<R>, to: ValuesOf<R>[F]) => Promise<void> | void
  }
}

/** A guard as the engine has it, whatever its resource is. */
// biome-ignore lint/suspicious/noExplicitAny: each pair is typed where it is made, by `guard`
export type AnyGuard = Guard<any>

/** Guards the records of a resource that another feature declares. */
export const guard = <R extends Resource>(r: R, g: Guard<R>): readonly [Resource, AnyGuard] => [r, g]

/** Asks the guards of a resource about the change of a record. */
export async function askAboutChange(
  r: Resource,
  c: Context,
  behaviour: AnyBehaviour | undefined,
  row: Row,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  const changes = (name: string) => name in values && !sameFieldValue(r.fields[name], row[name], values[name])
  const retired = retiredField(r)
  for (const { retire, change } of behaviour?.guards ?? []) {
    if (retired && values[retired] && changes(retired)) await retire?.(c, row)
    for (const [name, ask] of Object.entries(change ?? {})) if (changes(name)) await ask?.(c, row, values[name])
  }
}

/** Asks the guards of a resource about the removal of a record. */
export async function askAboutRemoval(c: Context, behaviour: AnyBehaviour | undefined, row: Row): Promise<void> {
  for (const { retire } of behaviour?.guards ?? []) await retire?.(c, row)
}
