import type { z } from 'zod'
import type { ErrorCode } from '#kernel/error-codes.ts'
import type { Event } from '#kernel/event.ts'
import type { Actor } from '#kernel/roles.ts'
import type { EventHandler } from './handler.ts'
import type { QueueName } from './queues.ts'
import type { Context, Engine } from './types.ts'

export type BatchJobState = 'queued' | 'running' | 'stopping' | 'stopped' | 'done' | 'failed' | 'undoing' | 'undone'

/** A piece of long work, as it stands. */
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

/** A kind of run, whatever its input and places are. */
export interface BatchJobType {
  readonly kind: string
  /** What it is called to people. */
  readonly title: string
  /** Can what was done with this input be taken back? */
  readonly canUndo: (input: unknown) => boolean
  /** Throws where whoever asks may not begin it, go on with it or take it back just now. */
  readonly requireAsker: (c: Context, input: unknown) => Promise<void>
  /** Said when its turn has come. */
  readonly due: Event<unknown, { run: number }>
  readonly listener: EventHandler
  /** The screen where runs of this kind are stopped and taken back, if they have one of their own. */
  readonly managedAt: string | undefined
  /** The screen where whoever began one sees what came of it, if it is not that of all long work. */
  readonly screen: string | undefined
  /** A client has one run of this kind at a time. */
  readonly oneAtATime: boolean
  /** Ends a run that its process has left, as failed for the reason given. */
  readonly abandon: (engine: Engine, clientId: number, id: number, why: string) => Promise<void>
  /** Works on a run until it ends, is stopped, or others should have their turn. */
  readonly work: (
    engine: Engine,
    clientId: number,
    id: number,
    watch?: BatchJobObserver,
  ) => Promise<BatchJob | undefined>
}

/** How a command takes part in a run that it works on itself. */
export interface BatchJobObserver {
  /** `place` is where the run has come to. */
  readonly onStep?: (run: BatchJob, place: unknown) => void
  readonly shouldStop?: () => boolean
}

/**
 * Something that could not be done: its line in a file or its number, what it is called, and why, in a sentence and in the code
 * that it is refused with by itself.
 */
export interface Refusal {
  readonly line: number | null
  readonly about?: string
  readonly reason: string
  readonly code?: ErrorCode
}

/** What a step came to. */
export interface ExecutedStep {
  readonly done: number
  readonly refused?: number | readonly Refusal[]
  readonly tally?: Readonly<Record<string, number>>
}

/** A portion of the work: done in one transaction, in which the run's place moves behind it. */
export interface BatchStep<Place> {
  readonly place: Place
  readonly take: (c: Context) => Promise<ExecutedStep>
}

/**
 * Gives the steps of a run from behind a place to the end, for whoever it acts as. It may read ahead: nothing of a step
 * happens before it is taken.
 */
export type BatchSteps<Input, Place> = (
  engine: Engine,
  run: BatchJob<Input>,
  from: Place | null,
  actor: Actor,
) => AsyncIterable<BatchStep<Place>>

export interface BatchJobSpec<Input, Place> {
  readonly kind: string
  /** What it is called to people; its kind unless given. */
  readonly title?: string
  readonly queue: QueueName
  readonly input: z.ZodType<Input>
  /** Where a run is between two steps, as it is kept. */
  readonly place: z.ZodType<Place>
  /** Before the first step, in a transaction: makes ready, and may say how much there is to do. May happen again. */
  readonly begin?: (c: Context, run: BatchJob<Input>) => Promise<number | undefined>
  readonly steps: BatchSteps<Input, Place>
  /**
   * Locks what of yours follows the run, first thing in each of its transactions: whoever changes that and then stops the run
   * locks in the same order.
   */
  readonly lock?: (c: Context, input: Input) => Promise<void>
  /** The steps of taking it back. Without them, a run of this kind can't be undone. */
  readonly undo?: BatchSteps<Input, Place>
  /** Where it depends on the input whether it can be undone. */
  readonly mayUndo?: (input: Input) => boolean
  /** Begins again from the start when it was interrupted, because its steps need to know all that came before. */
  readonly restarts?: (input: Input) => boolean
  /** The screen where runs of this kind are stopped and taken back, if they have one of their own. */
  readonly managedAt?: string
  /** The screen where whoever began one sees what came of it, if it is not that of all long work. */
  readonly screen?: string
  /** Is whoever began it told when it is over? Yes, unless this says no. */
  readonly tells?: (input: Input) => boolean
  /**
   * Throws where whoever asks may not begin it, go on with it or take it back just now: it is done later, when nobody can be
   * asked to prove who they are.
   */
  readonly requireAsker?: (c: Context, input: Input) => Promise<void>
  /** A client has one run of this kind at a time. */
  readonly oneAtATime?: true
  /** With whose rights: the portal's, or those that whoever started it has at the time. The portal's, unless said. */
  readonly as?: 'portal' | 'starter'
  /** In the transaction in which the run ends, or is stopped or undone. */
  readonly onFinished?: (c: Context, run: BatchJob<Input>) => Promise<void>
}
