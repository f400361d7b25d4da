import type { Event } from '#kernel/event.ts'
import type { Context } from './context.ts'
import type { Engine } from './engine.ts'
import type { EventHandler } from './handler.ts'
import type { Module } from './module.ts'

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

/** All kinds of runs of the modules, by kind. */
export const batchJobsOf = (modules: readonly Module[]): ReadonlyMap<string, BatchJobType> =>
  new Map(modules.flatMap((module) => (module.batchJobs ?? []).map((r) => [r.kind, r] as const)))
