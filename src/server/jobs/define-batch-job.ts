import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'
import type { BatchJobObserver, BatchJobSpec, BatchJobType } from '#server/engine/batch-job.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { Engine } from '#server/engine/types.ts'
import { abandonBatchJob, workOnBatchJob } from './batch-job-turn.ts'

/** A kind of batch job with its input. */
export interface DefinedBatchJob<Input> extends BatchJobType {
  readonly input: z.ZodType<Input>
}

/** Declares a kind of batch job; a module lists it under `batchJobs`. */
export function defineBatchJob<Input, Place>(spec: BatchJobSpec<Input, Place>): DefinedBatchJob<Input> {
  const due = defineEvent({ kind: `run.${spec.kind}`, version: 1, payload: z.object({ run: z.int() }) })
  const onDue = (engine: Engine, clientId: number, id: number, watch?: BatchJobObserver) =>
    workOnBatchJob(engine, spec, due, clientId, id, watch)
  return {
    kind: spec.kind,
    title: spec.title ?? spec.kind,
    input: spec.input,
    due,
    canUndo: (input) => spec.undo !== undefined && (spec.canUndo?.(spec.input.parse(input)) ?? true),
    requireAsker: async (c, input) => spec.requireAsker?.(c, spec.input.parse(input)),
    managedAt: spec.managedAt,
    screen: spec.screen,
    oneAtATime: spec.oneAtATime ?? false,
    abandon: (engine, clientId, id, why) => abandonBatchJob(engine, spec, clientId, id, why),
    work: onDue,
    handler: eventHandler(due, {
      name: `run.${spec.kind}`,
      queue: spec.queue,
      send: async ({ engine, clientId }, { run }) => void (await onDue(engine, clientId, run)),
    }),
  }
}
