import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { Problem, problem } from '#kernel/errors.ts'
import type { EventType } from '#kernel/event.ts'
import { defineEvent } from '#kernel/event.ts'
import type { Actor } from '#kernel/roles.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { isDbUnavailable } from '#server/db/unavailable.ts'
import { registryOf } from '#server/engine/registry.ts'
import type {
  BatchJob,
  BatchJobObserver,
  BatchJobSpec,
  BatchJobState,
  BatchStep,
  BatchStepResult,
} from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import {
  advanceBatchJob,
  type BatchJobLease,
  finishBatchJob,
  type LeasedBatchJob,
  LeaseLostError,
  leaseBatchJob,
  loadBatchJobActor,
  lockBatchJob,
  markBatchJobStarted,
  releaseBatchJob,
  renewBatchJobLease,
  storeRejectedItems,
} from './batch-job-store.ts'

/** Event emitted when a batch job that a user started has succeeded or failed. */
export const batchJobEndedEvent = defineEvent({ kind: 'run.over', version: 1, payload: z.object({ run: z.int() }) })

/** Milliseconds for which a batch job works before other jobs in the queue have their turn. */
const TURN_MS = 30_000
const LEASE_RENEWAL_MS = 20_000
/** Milliseconds for which a batch job waits for an unavailable database. */
const AWAY_MS = 600_000
/** Maximum number of attempts at the same cursor, if the database becomes unavailable each time. */
const MAX_TRIES = 5
const FAILED_BY_US =
  'The job was stopped by an error on our side. Completed work is safe. Resume the job, or undo it if that is possible.'
const STARTER_LEFT = 'The user who started this job no longer has an active account. Completed work is safe.'

/** Problem thrown when a batch job's files are not on this machine. Another process should then work on the job. */
export class FilesOnOtherMachineProblem extends Problem {
  constructor(message: string) {
    super(409, message)
  }
}

/**
 * Works on a batch job until it ends, fails, is stopped or must yield to other jobs. Returns its current state;
 * `undefined` if there is nothing to do or if another process has leased the job.
 */
export async function processBatchJob<Input, Place>(
  engine: Engine,
  spec: BatchJobSpec<Input, Place>,
  due: EventType<unknown, { run: number }>,
  clientId: number,
  id: number,
  watch?: BatchJobObserver,
): Promise<BatchJob | undefined> {
  const key = { clientId, id, lease: randomUUID() }
  const beat = setInterval(() => void renewBatchJobLease(engine.db, key).catch(() => {}), LEASE_RENEWAL_MS)
  try {
    for (let last = -1, tries = 0; ; ) {
      try {
        const run = await leaseBatchJob(engine.db, key)
        if (!run) return undefined
        engine.notifyCommit(new Set(['run']))
        const at = run.done + run.refused + run.undone
        if (at !== last) tries = 0
        last = at
        return await new BatchJobTurn(engine, spec, due, key, run.input, watch).go(run, tries < MAX_TRIES)
      } catch (e) {
        // The job can continue, because all committed work is before the cursor. Failed attempts to lease the job are
        // counted too.
        if (!isDbUnavailable(e) || tries++ >= MAX_TRIES || !(await engine.db.presence.back(AWAY_MS))) throw e
      }
    }
  } catch (e) {
    if (e instanceof LeaseLostError) return undefined
    throw e
  } finally {
    clearInterval(beat)
  }
}

/** Marks a batch job as failed after its process has died. `why` is the reason. */
export async function abandonBatchJob<Input, Place>(
  engine: Engine,
  spec: BatchJobSpec<Input, Place>,
  clientId: number,
  id: number,
  why: string,
): Promise<void> {
  const key = { clientId, id, lease: randomUUID() }
  const run = await leaseBatchJob(engine.db, key)
  if (run) await new BatchJobTurn(engine, spec, undefined, key, run.input, undefined).settle('failed', why)
}

/** One turn in which a process works on a batch job. */
class BatchJobTurn<Input, Place> {
  private readonly engine: Engine
  private readonly spec: BatchJobSpec<Input, Place>
  private readonly due: EventType<unknown, { run: number }> | undefined
  private readonly key: BatchJobLease
  private readonly given: unknown
  private readonly watch: BatchJobObserver | undefined
  private back = false
  constructor(
    engine: Engine,
    spec: BatchJobSpec<Input, Place>,
    due: EventType<unknown, { run: number }> | undefined,
    key: BatchJobLease,
    given: unknown,
    watch: BatchJobObserver | undefined,
  ) {
    this.engine = engine
    this.spec = spec
    this.due = due
    this.key = key
    this.given = given
    this.watch = watch
  }

  /**
   * Works on the job. With `mayGoOn`, the job is left unchanged if the database becomes unavailable, and can continue
   * later.
   */
  async go(claimed: LeasedBatchJob, mayGoOn: boolean): Promise<BatchJob> {
    try {
      return await this.steps(claimed)
    } catch (e) {
      if (e instanceof LeaseLostError || (mayGoOn && isDbUnavailable(e))) throw e
      if (e instanceof FilesOnOtherMachineProblem && !claimed.overdue) {
        await this.inRun((c) => releaseBatchJob(c.work.tx, this.key))
        throw e
      }
      const failed = await this.settle('failed', e instanceof Problem ? e.message : FAILED_BY_US)
      if (!(e instanceof Problem)) throw e
      return failed
    }
  }

  private async steps(claimed: LeasedBatchJob): Promise<BatchJob> {
    const { spec, watch } = this
    if (claimed.state === 'stopping') return this.settle('stopped')
    this.back = claimed.back
    const restarts = spec.restarts?.(spec.input.parse(claimed.input)) ?? false
    const run = !claimed.back && (!claimed.begun || restarts) ? await this.begin(claimed) : claimed
    const actor = await loadBatchJobActor(this.engine.db, run, spec.as ?? 'portal')
    if (!actor) throw problem.conflict(STARTER_LEFT)
    const source = run.back ? spec.undo : spec.steps
    if (!source) throw problem.conflict('This job can’t be undone.')
    const place = run.place === null ? null : spec.cursor.parse(run.place)
    const began = performance.now()
    for await (const step of readAhead(source(this.engine, this.shown(run), place, actor))) {
      const after = await this.take(step, actor)
      if (after.state !== run.state) return after
      watch?.onStep?.(this.shown(after), after.place)
      if (watch?.shouldStop?.()) return this.settle('stopped')
      if (!watch && !restarts && performance.now() - began > TURN_MS) return this.handOn()
    }
    return this.settle(run.back ? 'undone' : 'done')
  }

  private begin(run: LeasedBatchJob): Promise<LeasedBatchJob> {
    return this.inRun(async (c) => {
      await lockBatchJob(c.work.tx, this.key)
      const total = await this.spec.begin?.(c, this.shown(run))
      return markBatchJobStarted(c.work.tx, this.key, total)
    })
  }

  /**
   * Executes one step, unless the batch job has been stopped or undone. The step and the new cursor are saved in the
   * same transaction.
   */
  private take(step: BatchStep<Place>, actor: Actor): Promise<LeasedBatchJob> {
    return this.inRun(async (c) => {
      const { tx } = c.work
      const state = await lockBatchJob(tx, this.key)
      if (state === 'stopping') return this.settleIn(c, state, 'stopped', null)
      if (this.isTurned(state)) return this.release(c)
      const taken = await step.execute(c)
      const refusals = typeof taken.refused === 'object' ? taken.refused : []
      await storeRejectedItems(tx, this.key, refusals)
      return advanceBatchJob(tx, this.key, this.back, {
        place: step.cursor,
        done: taken.done,
        refused: countOf(taken),
        tally: taken.tally ?? {},
      })
    }, actor)
  }

  /** Yields to other jobs in the queue, and queues another turn for this job. */
  private handOn(): Promise<LeasedBatchJob> {
    return this.inRun((c) => this.release(c))
  }

  settle(to: BatchJobState, error: string | null = null): Promise<LeasedBatchJob> {
    return this.inRun(async (c) => {
      const state = await lockBatchJob(c.work.tx, this.key)
      return this.isTurned(state) ? this.release(c) : this.settleIn(c, state, to, error)
    })
  }

  /** True if undoing was requested while the job was running forwards. */
  private isTurned(state: BatchJobState): boolean {
    return state === 'undoing' && !this.back
  }

  /** Releases the batch job, and queues another turn for it. */
  private async release(c: Context): Promise<LeasedBatchJob> {
    if (this.due) await c.emit(this.due, { run: this.key.id })
    return releaseBatchJob(c.work.tx, this.key)
  }

  private async settleIn(
    c: Context,
    from: BatchJobState,
    to: BatchJobState,
    error: string | null,
  ): Promise<LeasedBatchJob> {
    const run = await finishBatchJob(c.work.tx, this.key, from, to, error)
    c.work.touched.add('audit')
    await this.spec.onFinished?.(c, this.shown(run))
    if (this.isAwaited(run, to)) await c.emit(batchJobEndedEvent, { run: run.id })
    return run
  }

  /**
   * True if the user who started the job should be notified. Users are not notified if they stopped or undid the job
   * themselves or are waiting at a command line. A job started during impersonation causes no notification, because
   * impersonating users have their own notifications.
   */
  private isAwaited({ original, back }: LeasedBatchJob, to: BatchJobState): boolean {
    const isNews = !back && (to === 'done' || to === 'failed') && registryOf(this.engine).hasHandler(batchJobEndedEvent)
    return isNews && !original && !this.watch && (this.spec.notifiesStarter?.(this.input) ?? true)
  }

  private inRun<T>(
    inside: (c: Context) => Promise<T>,
    actor = createSystemActor(this.key.clientId, this.spec.kind),
  ): Promise<T> {
    const change = { actor, requestId: `run ${this.key.id}` }
    return this.engine.inTenant(this.key.clientId, change, async (c) => {
      await this.spec.lock?.(c, this.input)
      const value = await inside(c)
      c.work.touched.add('run')
      return () => value
    })
  }

  private get input(): Input {
    return this.spec.input.parse(this.given)
  }

  private shown(held: LeasedBatchJob): BatchJob<Input> {
    const { clientId, id, kind, state, back, done, refused, undone, total, tally, userId, author, error } = held
    const { input } = this
    return { clientId, id, kind, state, back, input, done, refused, undone, total, tally, userId, author, error }
  }
}

const countOf = ({ refused = 0 }: BatchStepResult): number => (typeof refused === 'number' ? refused : refused.length)

/** Reads the next item from the source while the previous item is processed. */
async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const steps = source[Symbol.asyncIterator]()
  let next = steps.next()
  try {
    for (;;) {
      const step = await next
      if (step.done) return
      next = steps.next()
      next.catch(() => {})
      yield step.value
    }
  } finally {
    await steps.return?.()
  }
}
