import { z } from 'zod'
import type { ErrorCode } from '#kernel/error-codes.ts'
import { defineEvent } from '#kernel/event.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Context } from '#server/engine/context.ts'
import type { Engine } from '#server/engine/engine.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { QueueName } from '#server/engine/queues.ts'
import type { BatchJob, BatchJobObserver, BatchJobType } from '#server/engine/run-kind.ts'
import { abandon, work } from './work.ts'

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

/** A kind of run with what it is started with. */
export interface DefinedBatchJob<Input> extends BatchJobType {
  readonly input: z.ZodType<Input>
}

/** Declares a kind of long work; the module lists it under `runs`. */
export function defineBatchJob<Input, Place>(spec: BatchJobSpec<Input, Place>): DefinedBatchJob<Input> {
  const due = defineEvent({ kind: `run.${spec.kind}`, version: 1, payload: z.object({ run: z.int() }) })
  const onDue = (engine: Engine, clientId: number, id: number, watch?: BatchJobObserver) =>
    work(engine, spec, due, clientId, id, watch)
  return {
    kind: spec.kind,
    title: spec.title ?? spec.kind,
    input: spec.input,
    due,
    canUndo: (input) => spec.undo !== undefined && (spec.mayUndo?.(spec.input.parse(input)) ?? true),
    requireAsker: async (c, input) => spec.requireAsker?.(c, spec.input.parse(input)),
    managedAt: spec.managedAt,
    screen: spec.screen,
    oneAtATime: spec.oneAtATime ?? false,
    abandon: (engine, clientId, id, why) => abandon(engine, spec, clientId, id, why),
    work: onDue,
    listener: eventHandler(due, {
      name: `run.${spec.kind}`,
      queue: spec.queue,
      send: async ({ engine, clientId }, { run }) => void (await onDue(engine, clientId, run)),
    }),
  }
}
