import type { z } from 'zod'
import type { ErrorCode } from '#kernel/error-statuses.ts'
import type { EventType } from '#kernel/event.ts'
import type { Actor } from '#kernel/roles.ts'
import { type Instant, LONDON_TIME_ZONE } from '#kernel/time.ts'
import type { EventHandler } from './handler.ts'
import type { QueueName } from './queues.ts'
import type { Context, Engine } from './types.ts'

export type BatchJobState = 'queued' | 'running' | 'stopping' | 'stopped' | 'done' | 'failed' | 'undoing' | 'undone'

export interface BatchJob<Input = unknown> {
  readonly clientId: number
  readonly id: number
  readonly kind: string
  readonly state: BatchJobState
  readonly back: boolean
  readonly input: Input
  readonly done: number
  readonly refused: number
  readonly undone: number
  readonly total: number | null
  /** Further counts, by name. */
  readonly tally: Readonly<Record<string, number>>
  readonly userId: number
  readonly author: string
  readonly error: string | null
}

/** A type of batch job, independent of its input and cursor types. */
export interface BatchJobType {
  readonly kind: string
  readonly title: string
  readonly canUndo: (input: unknown) => boolean
  readonly requireAsker: (c: Context, input: unknown) => Promise<void>
  /** Event that starts or continues the job. */
  readonly due: EventType<unknown, { run: number }>
  readonly handler: EventHandler
  readonly managedAt: string | undefined
  readonly screen: string | undefined
  readonly oneAtATime: boolean
  readonly whileImpersonating: boolean
  readonly writesFile: boolean
  /** Marks a batch job as failed after its process has died. */
  readonly abandon: (engine: Engine, clientId: number, id: number, why: string) => Promise<void>
  /** Works on a batch job until it ends, is stopped, or must yield to other jobs. */
  readonly work: (
    engine: Engine,
    clientId: number,
    id: number,
    watch?: BatchJobObserver,
  ) => Promise<BatchJob | undefined>
}

/** Callbacks for a command that executes a batch job in its own process. */
export interface BatchJobObserver {
  readonly onStep?: (run: BatchJob, place: unknown) => void
  readonly shouldStop?: () => boolean
}

/**
 * An item that could not be processed: its line in a file or its number, its name, and the reason as both a sentence
 * and an error code.
 */
export interface RejectedItem {
  readonly line: number | null
  readonly about?: string
  readonly reason: string
  readonly code?: ErrorCode
}

export interface BatchStepResult {
  readonly done: number
  readonly refused?: number | readonly RejectedItem[]
  readonly tally?: Readonly<Record<string, number>>
}

/** A step of a batch job, executed in one transaction. The same transaction advances the cursor. */
export interface BatchStep<Place> {
  readonly cursor: Place
  readonly execute: (c: Context) => Promise<BatchStepResult>
}

/**
 * Yields the steps after a cursor, as the given actor. May read ahead, because a step has no effect before it is
 * executed.
 */
type BatchSteps<Input, Place> = (
  engine: Engine,
  run: BatchJob<Input>,
  from: Place | null,
  actor: Actor,
) => AsyncIterable<BatchStep<Place>>

export interface BatchJobSpec<Input, Place> {
  readonly kind: string
  /** Name on screens; `kind` by default. */
  readonly title?: string
  readonly queue: QueueName
  readonly input: z.ZodType<Input>
  /** Schema of the cursor: the stored position between two steps. */
  readonly cursor: z.ZodType<Place>
  /**
   * Prepares the job in a transaction before the first step, and may return the number of items. May run more than
   * once.
   */
  readonly begin?: (c: Context, run: BatchJob<Input>) => Promise<number | undefined>
  readonly steps: BatchSteps<Input, Place>
  /**
   * Locks the records that track this job. Called first in each of the job's transactions, because code that changes
   * these records and then stops the job locks in the same order.
   */
  readonly lock?: (c: Context, input: Input) => Promise<void>
  /** Steps that undo the job. If this is missing, the job can't be undone. */
  readonly undo?: BatchSteps<Input, Place>
  /** True if a job with this input can be undone (the default). */
  readonly canUndo?: (input: Input) => boolean
  /** True if an interrupted job starts over, because its steps depend on all previous ones. */
  readonly restarts?: (input: Input) => boolean
  /** Screen where jobs of this type are stopped and undone, if it is not the generic screen. */
  readonly managedAt?: string
  /** Result page, if it is not the generic job page. */
  readonly screen?: string
  /** True if the user who started the job is notified when it ends (the default). */
  readonly notifiesStarter?: (input: Input) => boolean
  /**
   * Throws if the actor may not start, resume or undo the job now. Checked at this point because a job can't prompt for
   * a proof of identity later.
   */
  readonly requireAsker?: (c: Context, input: Input) => Promise<void>
  /** Allows a client at most one unfinished job of this type. */
  readonly oneAtATime?: true
  /**
   * Allowed to be started while impersonating a user: the job only reads, or checks the starter's rights for each
   * record.
   */
  readonly whileImpersonating?: true
  /** True if the job stores a file before it attaches it. The file of a job that fails in between is removed. */
  readonly writesFile?: true
  /** Rights that the job runs with: the portal's by default, or the current rights of the user who started it. */
  readonly as?: 'portal' | 'starter'
  /** Runs in the transaction in which the job ends, is stopped or is undone. */
  readonly onFinished?: (c: Context, run: BatchJob<Input>) => Promise<void>
}

/** Interval in minutes, or a daily time in London. */
export type ScheduleInterval = { readonly minutes: number } | { readonly daily: string }

/** A task that runs regularly. */
export interface Schedule {
  readonly name: string
  readonly every: ScheduleInterval
  /** Runs once per slot for all clients. May run twice for the same slot, and processes everything, page by page. */
  readonly run?: (engine: Engine) => Promise<void>
  /** Runs once per client and day, in a transaction of that client. The same transaction marks the day as done. */
  readonly perClient?: (c: Context, day: Temporal.PlainDate) => Promise<void> | void
}

interface ForAll {
  readonly name: string
  readonly every: ScheduleInterval
  readonly run: (engine: Engine) => Promise<void>
}
interface ForEachClient {
  readonly name: string
  readonly every: { readonly daily: string }
  readonly perClient: (c: Context, day: Temporal.PlainDate) => Promise<void> | void
}

export const schedule = (s: ForAll | ForEachClient): Schedule => s

/**
 * Returns the latest slot of a schedule at an instant, as a string that sorts by time: a date in London, or an instant.
 * If the clock change in spring skips the time of day, the next existing time applies.
 */
export function findLatestSlotAt(every: ScheduleInterval, at: Instant): string {
  if ('minutes' in every) {
    const length = every.minutes * 60_000
    return Temporal.Instant.fromEpochMilliseconds(Math.floor(at.epochMilliseconds / length) * length).toString()
  }
  const today = at.toZonedDateTimeISO(LONDON_TIME_ZONE).toPlainDate()
  const from = today.toZonedDateTime({ timeZone: LONDON_TIME_ZONE, plainTime: every.daily }).toInstant()
  return (Temporal.Instant.compare(from, at) <= 0 ? today : today.subtract({ days: 1 })).toString()
}
