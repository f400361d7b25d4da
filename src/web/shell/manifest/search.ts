import { createContext } from 'react'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { QueryParams } from '../../api/client.ts'

/** A kind of records that the palette searches by `?q=`, for users who may read them. */
export interface SearchGroup<R extends Resource = Resource> {
  /** Heading of the group: "Quotes". */
  readonly label: string
  /** A name of `icons.ts`. */
  readonly icon: string
  readonly resource: R
  readonly title: (record: RecordOf<R>) => string
  /** Shown under the title; empty parts are omitted. */
  readonly detail: (record: RecordOf<R>) => readonly (string | null | undefined)[]
  readonly href: (record: RecordOf<R>, actor: Actor) => string
  /** Further list parameters besides the search text. */
  readonly params?: (actor: Actor) => QueryParams
}

/** Checks the type of the records in the declaration and widens it for the list of all kinds. */
export const searchGroup = <const R extends Resource>(kind: SearchGroup<R>): SearchGroup =>
  kind as unknown as SearchGroup

/** Loads the searchable kinds of all modules, in the order of the groups. */
export const SearchContext = createContext<() => Promise<readonly SearchGroup[]>>(() => Promise.resolve([]))
