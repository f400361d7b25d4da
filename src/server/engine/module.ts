import type { Evidence } from '#kernel/evidence.ts'
import type { Navigation } from '#kernel/navigation.ts'
import type { Resource } from '#kernel/resource.ts'
import type { BatchJobType } from './batch-job.ts'
import type { AnyBehaviour } from './behaviour.ts'
import type { Command } from './command.ts'
import type { EventHandler } from './handler.ts'
import type { NotificationType } from './notification-type.ts'
import type { Route } from './route.ts'
import type { Schedule } from './schedule.ts'
import type { SecretLink } from './secret-link.ts'
import type { DemoPart, Reference } from './world.ts'

/** The face that an area shows to the server: its explicit lists. */
export interface Module {
  readonly name: string
  /** Its screens that have a place in the navigation. */
  readonly navigation?: Readonly<Record<string, Navigation>>
  readonly resources: readonly Resource[]
  readonly behaviours?: readonly (readonly [Resource, AnyBehaviour])[]
  readonly routes?: readonly Route[]
  /** What of its records is sealed, by which event. */
  readonly evidence?: readonly Evidence[]
  readonly handlers?: readonly EventHandler[]
  readonly schedules?: readonly Schedule[]
  /** What it tells people of by notices. */
  readonly notifications?: readonly NotificationType[]
  readonly batchJobs?: readonly BatchJobType[]
  /** The secret links that its letters carry. */
  readonly links?: readonly SecretLink[]
  /** What can be done with it at the command line. */
  readonly commands?: readonly Command[]
  /** What it can't do without, loaded before the portal opens. */
  readonly referenceData?: readonly Reference[]
  /** Its parts of the demo world, fetched where one is told. */
  readonly demo?: () => Promise<{ readonly demo: readonly DemoPart[] }>
}
