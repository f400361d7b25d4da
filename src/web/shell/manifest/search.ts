import { createContext } from 'react'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { FoundPart } from '#kernel/text.ts'
import type { QueryParams } from '../../api/client.ts'

/** Record type that the command palette searches by `?q=`, for users who may read its records. */
export interface SearchGroup<R extends Resource = Resource> {
  /** Heading of the group: "Quotes". */
  readonly label: string
  /** Icon name from `icons.ts`. */
  readonly icon: string
  readonly resource: R
  readonly title: (record: RecordOf<R>) => string
  /** Returns the details shown under the title. Empty details are omitted. */
  readonly detail: (record: RecordOf<R>) => readonly (string | null | undefined)[]
  /** Returns the part of the record in which the text was found, if the title does not show it. */
  readonly found?: (record: RecordOf<R>) => FoundPart | null
  readonly href: (record: RecordOf<R>, actor: Actor) => string
  /** Returns query parameters in addition to the search text. */
  readonly params?: (actor: Actor) => QueryParams
}

/**
 * Checks at compile time that the group suits the type of its records, and widens the type so that all groups fit into
 * one list.
 */
export const searchGroup = <const R extends Resource>(kind: SearchGroup<R>): SearchGroup =>
  kind as unknown as SearchGroup

/** Context with the function that loads all modules' search groups, in order. */
export const SearchGroupsContext = createContext<() => Promise<readonly SearchGroup[]>>(() => Promise.resolve([]))
