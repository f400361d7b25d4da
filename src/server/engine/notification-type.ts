import type { Area } from '#kernel/navigation.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { Actor, Roles } from '#kernel/roles.ts'
import type { Engine } from './types.ts'

/** A kind of notification about a record. Its words are not stored: the record is asked when the notification is read. */
export interface NotificationType<R extends Resource = Resource> {
  /** Unique among all modules: `quote.decided`. */
  readonly kind: string
  /** Its name in the reader's settings: "Quotes accepted or declined". */
  readonly label: string
  readonly for: Roles
  /** A name of the web's `icons.ts`. */
  readonly icon: string
  /** The subject. Readers who may not read the record, or no longer, don't get the notification. */
  readonly of: R
  /** Its text, by the record as the reader sees it. */
  readonly words: (record: RecordOf<R>) => string
  /** The screen that it links to. */
  readonly path: (record: RecordOf<R>, engine: Engine, reader: Actor) => string
  /** A task for its reader, read or not, counted beside this area. Its migration says what ends it: `notices_end`. */
  readonly waits?: Area
  /** The task after its number: "to sign". */
  readonly todo?: string
  /** Whether it is in the daily letter by default; not where it has a letter of its own. */
  readonly mail: boolean
}

/** Checks the words against the record's own type, which the list of all notifications forgets. */
export const notificationType = <R extends Resource>(kind: NotificationType<R>): NotificationType =>
  kind as unknown as NotificationType
