import { randomUUID } from 'node:crypto'
import { Problem, problem } from '#kernel/errors.ts'
import type { Event } from '#kernel/event.ts'
import type { Actor } from '#kernel/roles.ts'
import { systemActor } from '#kernel/roles.ts'
import { isUnavailable } from '#server/db/unavailable.ts'
import type {
  BatchJob,
  BatchJobObserver,
  BatchJobSpec,
  BatchJobState,
  BatchStep,
  StepResult,
} from '#server/engine/batch-job.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { runOver } from './run-over.ts'
import {
  actorOf,
  advanceRun,
  beginRun,
  claimRun,
  type Held,
  type Key,
  keepRefusals,
  Lost,
  lockRun,
  releaseRun,
  renewLease,
  settleRun,
} from './run-store.ts'

/** A run works for so long before others of its lane have their turn. */
const TURN_MS = 30_000
const BEAT_MS = 20_000
/** A run waits so long for a database that has gone away. */
const AWAY_MS = 600_000
/** Times that a run goes on at one place, where the database goes away under it each time. */
const TRIES = 5
const FAULT =
  'It was stopped by a fault on our side. What was done is safe: go on where it stopped, or undo it where it can be undone.'
const LEFT = 'The person who started this has left. What was done is safe.'

/** What the run works on is not on this machine: another process should take it up. */
export class Elsewhere extends Problem {
  constructor(message: string) {
    super(409, message)
  }
}

/**
 * Works on a run from where it is: until it ends, fails, is stopped, or others should have their turn. Gives the run as it is then;
 * `undefined` where there was nothing to do, or another process has it.
 */
export async function work<Input, Place>(
  engine: Engine,
  spec: BatchJobSpec<Input, Place>,
  due: Event<unknown, { run: number }>,
  clientId: number,
  id: number,
  watch?: BatchJobObserver,
): Promise<BatchJob | undefined> {
  const key = { clientId, id, lease: randomUUID() }
  const beat = setInterval(() => void renewLease(engine.db, key).catch(() => {}), BEAT_MS)
  try {
    for (let last = -1, tries = 0; ; ) {
      try {
        const run = await claimRun(engine.db, key)
        if (!run) return undefined
        engine.notifyCommit(new Set(['run']))
        const at = run.done + run.refused + run.undone
        if (at !== last) tries = 0
        last = at
        return await new Turn(engine, spec, due, key, run.input, watch).go(run, tries < TRIES)
      } catch (e) {
        // What was committed before the database went away is behind the run's place. One that can't even be taken up is a try too.
        if (!isUnavailable(e) || tries++ >= TRIES || !(await engine.db.presence.back(AWAY_MS))) throw e
      }
    }
  } catch (e) {
    if (e instanceof Lost) return undefined
    throw e
  } finally {
    clearInterval(beat)
  }
}

/** Ends a run whose process has gone, as failed for the reason given. */
export async function abandon<Input, Place>(
  engine: Engine,
  spec: BatchJobSpec<Input, Place>,
  clientId: number,
  id: number,
  why: string,
): Promise<void> {
  const key = { clientId, id, lease: randomUUID() }
  const run = await claimRun(engine.db, key)
  if (run) await new Turn(engine, spec, undefined, key, run.input, undefined).settle('failed', why)
}

/** One process's turn at a run. */
class Turn<Input, Place> {
  private readonly engine: Engine
  private readonly spec: BatchJobSpec<Input, Place>
  private readonly due: Event<unknown, { run: number }> | undefined
  private readonly key: Key
  private readonly given: unknown
  private readonly watch: BatchJobObserver | undefined
  private back = false
  constructor(
    engine: Engine,
    spec: BatchJobSpec<Input, Place>,
    due: Event<unknown, { run: number }> | undefined,
    key: Key,
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

  /** `mayGoOn`: where the database goes away, the run is left as it is. */
  async go(claimed: Held, mayGoOn: boolean): Promise<BatchJob> {
    try {
      return await this.steps(claimed)
    } catch (e) {
      if (e instanceof Lost || (mayGoOn && isUnavailable(e))) throw e
      if (e instanceof Elsewhere && !claimed.overdue) {
        await this.inRun((c) => releaseRun(c.work.tx, this.key))
        throw e
      }
      const failed = await this.settle('failed', e instanceof Problem ? e.message : FAULT)
      if (!(e instanceof Problem)) throw e
      return failed
    }
  }

  private async steps(claimed: Held): Promise<BatchJob> {
    const { spec, watch } = this
    if (claimed.state === 'stopping') return this.settle('stopped')
    this.back = claimed.back
    const restarts = spec.restarts?.(spec.input.parse(claimed.input)) ?? false
    const run = !claimed.back && (!claimed.begun || restarts) ? await this.begin(claimed) : claimed
    const actor = await actorOf(this.engine.db, run, spec.as ?? 'portal')
    if (!actor) throw problem.conflict(LEFT)
    const source = run.back ? spec.undo : spec.steps
    if (!source) throw problem.conflict('This can’t be undone.')
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

  private begin(run: Held): Promise<Held> {
    return this.inRun(async (c) => {
      await lockRun(c.work.tx, this.key)
      const total = await this.spec.begin?.(c, this.shown(run))
      return beginRun(c.work.tx, this.key, total)
    })
  }

  /** Does one step, unless somebody has stopped the run or turned it round. The step and the run's place are one transaction. */
  private take(step: BatchStep<Place>, actor: Actor): Promise<Held> {
    return this.inRun(async (c) => {
      const { tx } = c.work
      const state = await lockRun(tx, this.key)
      if (state === 'stopping') return this.settleIn(c, state, 'stopped', null)
      if (this.isTurned(state)) return this.release(c)
      const taken = await step.execute(c)
      const refusals = typeof taken.refused === 'object' ? taken.refused : []
      await keepRefusals(tx, this.key, refusals)
      return advanceRun(tx, this.key, this.back, {
        place: step.cursor,
        done: taken.done,
        refused: countOf(taken),
        tally: taken.tally ?? {},
      })
    }, actor)
  }

  /** Lets others of the lane have their turn, and asks for another. */
  private handOn(): Promise<Held> {
    return this.inRun((c) => this.release(c))
  }

  settle(to: BatchJobState, error: string | null = null): Promise<Held> {
    return this.inRun(async (c) => {
      const state = await lockRun(c.work.tx, this.key)
      return this.isTurned(state) ? this.release(c) : this.settleIn(c, state, to, error)
    })
  }

  /** Has somebody asked for its undoing while it was on its way there? */
  private isTurned(state: BatchJobState): boolean {
    return state === 'undoing' && !this.back
  }

  /** Puts the run down, and asks for another turn. */
  private async release(c: Context): Promise<Held> {
    if (this.due) await c.emit(this.due, { run: this.key.id })
    return releaseRun(c.work.tx, this.key)
  }

  private async settleIn(c: Context, from: BatchJobState, to: BatchJobState, error: string | null): Promise<Held> {
    const run = await settleRun(c.work.tx, this.key, from, to, error)
    c.work.touched.add('audit')
    await this.spec.onFinished?.(c, this.shown(run))
    if (this.isAwaited(run, to)) await c.emit(runOver, { run: run.id })
    return run
  }

  /** Whoever stopped it or took it back knows; so does whoever waits at a command line, and a visitor has other notices. */
  private isAwaited({ original, back }: Held, to: BatchJobState): boolean {
    const isNews = !back && (to === 'done' || to === 'failed') && registryOf(this.engine).hasHandler(runOver)
    return isNews && !original && !this.watch && (this.spec.notifiesStarter?.(this.input) ?? true)
  }

  private inRun<T>(
    inside: (c: Context) => Promise<T>,
    actor = systemActor(this.key.clientId, this.spec.kind),
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

  private shown(held: Held): BatchJob<Input> {
    const { clientId, id, kind, state, back, done, refused, undone, total, tally, userId, author, error } = held
    const { input } = this
    return { clientId, id, kind, state, back, input, done, refused, undone, total, tally, userId, author, error }
  }
}

const countOf = ({ refused = 0 }: StepResult): number => (typeof refused === 'number' ? refused : refused.length)

/** Reads the next portion while the one before is being worked on. */
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
