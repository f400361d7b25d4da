import { problem } from '#kernel/errors.ts'
import type { Context } from '#server/engine/types.ts'
import type { LinkedPlace } from './name-match.ts'

/** A typed name in a record. */
export interface TypedName {
  readonly row: number
  readonly record: string
  readonly name: string
}

export interface Source {
  /** True for records of the past, which may name people who have left since. */
  readonly isPast?: true
  /** SQL of the typed names, with the client as $1. */
  readonly names: string
  /** Links the name, and returns the places that were changed. Throws 409 if nothing is left to link. */
  readonly link: (
    c: Context,
    typed: Pick<TypedName, 'row' | 'name'>,
    employee: number,
  ) => Promise<readonly LinkedPlace[]>
  /** Removes the link from those places that still have it. Throws 409 if they can't change any more. */
  readonly unlink: (c: Context, row: number, linked: readonly LinkedPlace[], employee: number) => Promise<void>
}

export const REASON = 'human resources confirm who a typed name is'

export const recordChanged = () => problem.conflict('This record has changed since. Please search for matches again.')
