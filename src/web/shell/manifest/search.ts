import { createContext } from 'react'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { QueryParams } from '../../api/client.ts'

/** A type of record that the palette searches by `?q=`, for users who may read it. */
export interface SearchGroup<R extends Resource = Resource> {
  /** Heading of the group: "Quotes". */
  readonly label: string
  /** Icon name from `icons.ts`. */
  readonly icon: string
  readonly resource: R
  readonly title: (record: RecordOf<R>) => string
  /** Details shown under the title; empty ones are omitted. */
  readonly detail: (record: RecordOf<R>) => readonly (string | null | undefined)[]
  readonly href: (record: RecordOf<R>, actor: Actor) => string
  /** List parameters in addition to the search text. */
  readonly params?: (actor: Actor) => QueryParams
}

/** Checks the group against the type of its records, and widens the type for the list of all groups. */
export const searchGroup = <const R extends Resource>(kind: SearchGroup<R>): SearchGroup =>
  kind as unknown as SearchGroup

/** Loads the search groups of all modules, in order. */
export const SearchGroupsContext = createContext<() => Promise<readonly SearchGroup[]>>(() => Promise.resolve([]))
