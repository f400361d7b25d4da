import type { z } from 'zod'
import type { ErrorCode } from '#kernel/error-codes.ts'
import type { Event } from '#kernel/event.ts'
import type { Actor } from '#kernel/roles.ts'
import type { EventHandler } from './handler.ts'
import type { QueueName } from './queues.ts'
import type { Context, Engine } from './types.ts'

export type BatchJobState = 'queued' | 'running' | 'stopping' | 'stopped' | 'done' | 'failed' | 'undoing' | 'undone'

/** A batch job and its progress. */
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

/** A kind of batch job, whatever its input and cursor are. */
export interface BatchJobType {
  readonly kind: string
  readonly title: string
  readonly canUndo: (input: unknown) => boolean
  readonly requireAsker: (c: Context, input: unknown) => Promise<void>
  /** Emitted when it may start or continue. */
  readonly due: Event<unknown, { run: number }>
  readonly handler: EventHandler
  readonly managedAt: string | undefined
  readonly screen: string | undefined
  readonly oneAtATime: boolean
  /** Ends a batch job as failed after its process died. */
  readonly abandon: (engine: Engine, clientId: number, id: number, why: string) => Promise<void>
  /** Works on a batch job until it ends, is stopped, or others should have their turn. */
  readonly work: (
    engine: Engine,
    clientId: number,
    id: number,
    watch?: BatchJobObserver,
  ) => Promise<BatchJob | undefined>
}

/** The part that a command takes in a batch job that it works on itself. */
export interface BatchJobObserver {
  readonly onStep?: (run: BatchJob, place: unknown) => void
  readonly shouldStop?: () => boolean
}

/**
 * An item that could not be processed: its line in a file or its number, its name, and the reason as a sentence and as the code of the
 * refusal.
 */
export interface Refusal {
  readonly line: number | null
  readonly about?: string
  readonly reason: string
  readonly code?: ErrorCode
}

export interface StepResult {
  readonly done: number
  readonly refused?: number | readonly Refusal[]
  readonly tally?: Readonly<Record<string, number>>
}

/** A portion of the work: done in one transaction, which also moves the cursor behind it. */
export interface BatchStep<Place> {
  readonly cursor: Place
  readonly execute: (c: Context) => Promise<StepResult>
}

/**
 * Yields the steps from behind a cursor to the end, as the given actor. It may read ahead: nothing of a step happens before it is executed.
 */
export type BatchSteps<Input, Place> = (
  engine: Engine,
  run: BatchJob<Input>,
  from: Place | null,
  actor: Actor,
) => AsyncIterable<BatchStep<Place>>

export interface BatchJobSpec<Input, Place> {
  readonly kind: string
  /** Its name on screens; `kind` unless given. */
  readonly title?: string
  readonly queue: QueueName
  readonly input: z.ZodType<Input>
  /** The position between two steps, as it is stored. */
  readonly cursor: z.ZodType<Place>
  /** Prepares the job in a transaction before the first step, and may return how much there is to do. May run again. */
  readonly begin?: (c: Context, run: BatchJob<Input>) => Promise<number | undefined>
  readonly steps: BatchSteps<Input, Place>
  /**
   * Locks the records that follow this job, first in each of its transactions: whoever changes them and then stops the job locks in the
   * same order.
   */
  readonly lock?: (c: Context, input: Input) => Promise<void>
  /** The steps of undoing it. Without them, it can't be undone. */
  readonly undo?: BatchSteps<Input, Place>
  /** Whether a job with this input can be undone; yes by default. */
  readonly canUndo?: (input: Input) => boolean
  /** Whether an interrupted job starts over, because its steps depend on everything before them. */
  readonly restarts?: (input: Input) => boolean
  /** The screen where jobs of this kind are stopped and undone, if they have one of their own. */
  readonly managedAt?: string
  /** The result page, if not the generic job page. */
  readonly screen?: string
  /** Whether the starter is notified when it ends; yes by default. */
  readonly notifiesStarter?: (input: Input) => boolean
  /**
   * Throws where the actor may not start, resume or undo it now: the work happens later, when nobody can be asked for proof of identity.
   */
  readonly requireAsker?: (c: Context, input: Input) => Promise<void>
  /** A client has at most one unfinished job of this kind. */
  readonly oneAtATime?: true
  /** The rights that it works with: the portal's by default, or those that its starter has at the time. */
  readonly as?: 'portal' | 'starter'
  /** Runs in the transaction in which the job ends, or is stopped or undone. */
  readonly onFinished?: (c: Context, run: BatchJob<Input>) => Promise<void>
}
