import { retiredFieldName } from '#kernel/bulk.ts'
import type { Resource, RowOf, ValuesOf } from '#kernel/resource.ts'
import { areFieldValuesEqual } from '#server/data/difference.ts'
import type { Row } from '#server/data/plan.ts'
import type { DeclaredBehaviour } from './behaviour.ts'
import type { Context } from './types.ts'

/**
 * Conditions that a feature sets for changes to another feature's stored records, regardless of where the change is
 * made. Each function throws a Problem or returns.
 */
export interface RecordGuard<R extends Resource = Resource> {
  /** Runs before the record is retired or deleted. */
  readonly retire?: (c: Context, row: RowOf<R>) => Promise<void> | void
  /** Functions by field name. Each runs before its field changes; `to` is the field's new value. */
  readonly change?: {
    readonly [F in keyof ValuesOf<R>]?: (c: Context, row: RowOf<R>, to: ValuesOf<R>[F]) => Promise<void> | void
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each pair is typed where it is made, by `guard`
export type DeclaredGuard = RecordGuard<any>

/** A behaviour with the guards that other features declare for the resource. */
export type GuardedBehaviour = DeclaredBehaviour & { readonly guards: readonly DeclaredGuard[] }

/** Declares guards for the records of another feature's resource. */
export const guard = <R extends Resource>(r: R, g: RecordGuard<R>): readonly [Resource, DeclaredGuard] => [r, g]

export async function runChangeGuards(
  r: Resource,
  c: Context,
  behaviour: GuardedBehaviour | undefined,
  row: Row,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!behaviour?.guards.length) return
  const changes = (name: string) => name in values && !areFieldValuesEqual(r.fields[name], row[name], values[name])
  const retired = retiredFieldName(r)
  for (const { retire, change } of behaviour.guards) {
    if (retired && values[retired] && changes(retired)) await retire?.(c, row)
    for (const [name, ask] of Object.entries(change ?? {})) if (changes(name)) await ask?.(c, row, values[name])
  }
}

export async function runRemovalGuards(c: Context, behaviour: GuardedBehaviour | undefined, row: Row): Promise<void> {
  for (const { retire } of behaviour?.guards ?? []) await retire?.(c, row)
}
