import type { Area } from '#kernel/navigation.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { Actor, Roles } from '#kernel/roles.ts'
import type { Engine } from './engine.ts'
import type { Module } from './module.ts'

/** Something that somebody should know of, about a record. Nothing of what it says is kept: the record is asked when it is read. */
export interface NotificationType<R extends Resource = Resource> {
  /** Unique among all modules: `quote.decided`. */
  readonly kind: string
  /** What one's settings call it: "Quotes accepted or declined". */
  readonly label: string
  /** Whom it can be for. */
  readonly for: Roles
  /** A name of the web's `icons.ts`. */
  readonly icon: string
  /** What it is about. Whoever may not read the record, or not any more, has no such notice. */
  readonly of: R
  /** How it reads, by the record as its reader sees it. */
  readonly words: (record: RecordOf<R>) => string
  /** The screen that it leads to. */
  readonly path: (record: RecordOf<R>, engine: Engine, reader: Actor) => string
  /** It waits for something to be done, read or not, and is counted beside this area. Its migration says what ends it: `notices_end`. */
  readonly waits?: Area
  /** What is to be done about it, after a number: "to sign". */
  readonly todo?: string
  /** Does it go out in the daily letter where its reader has not said? Not what has a letter of its own. */
  readonly mail: boolean
}

/** Keeps the record's own type while it is declared, and forgets it for the list of them all. */
export const notificationType = <R extends Resource>(kind: NotificationType<R>): NotificationType =>
  kind as unknown as NotificationType

/** All kinds of notice of the modules, by name. Throws for two of one name. */
export function notificationsOf(modules: readonly Module[]): ReadonlyMap<string, NotificationType> {
  const found = new Map<string, NotificationType>()
  for (const one of modules.flatMap((module) => module.notifications ?? [])) {
    if (found.has(one.kind)) throw new Error(`Two kinds of notice are called "${one.kind}"`)
    found.set(one.kind, one)
  }
  return found
}
