import { createContext } from 'react'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Params } from '../../api/client.ts'

/** Records that the palette finds by the words of their list's `?q=`, for whoever may read them. */
export interface SearchGroup<R extends Resource = Resource> {
  /** The group's heading: "Quotes". */
  readonly label: string
  /** A name of `icons.ts`. */
  readonly icon: string
  readonly resource: R
  readonly title: (record: RecordOf<R>) => string
  /** Under the title; empty parts are left out. */
  readonly detail: (record: RecordOf<R>) => readonly (string | null | undefined)[]
  readonly href: (record: RecordOf<R>, actor: Actor) => string
  /** What narrows the list besides the words. */
  readonly params?: (actor: Actor) => Params
}

/** Keeps the records' own type while it is declared, and forgets it for the list of them all. */
export const searchGroup = <const R extends Resource>(kind: SearchGroup<R>): SearchGroup =>
  kind as unknown as SearchGroup

/** Loads what the modules let the palette find, in the order of its groups. */
export const SearchContext = createContext<() => Promise<readonly SearchGroup[]>>(() => Promise.resolve([]))
