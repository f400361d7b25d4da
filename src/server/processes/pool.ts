import { PoolBusyError, TimeLimitError } from './failures.ts'
import { FairQueue, type TaskOwner } from './waiting-line.ts'
import { type WorkerLimits, WorkerProcess } from './worker.ts'

export interface WorkerPoolOptions extends WorkerLimits {
  /** Program that each process runs. It calls `serveTasks`. */
  readonly program: URL
  readonly workers: number
  /** Maximum number of tasks in progress for one client. */
  readonly each: number
  /** Maximum number of waiting tasks, in total and per client. */
  readonly queue: number
  readonly queueEach: number
  /** Maximum number of tasks in progress and of waiting tasks for one person of a client; that of a client by default. */
  readonly person?: { readonly each: number; readonly queue: number }
  /** Milliseconds after which an idle worker ends. */
  readonly idleMs: number
  /** Memory use, in bytes, above which a worker ends after completing a task. */
  readonly keeps: number
}

/** Time that several tasks may take together. Each of them reduces it. */
export interface TimeBudget {
  leftMs: number
}

interface TaskOptions {
  /** Person of the client. */
  readonly person?: string
  /** Time limit of this task instead of the pool's. */
  readonly timeoutMs?: number
  /** Further limit, for this task and others. The time during which a task waits does not count. */
  readonly budget?: TimeBudget
}

interface Waiting<Order, Answer> {
  readonly owner: TaskOwner
  readonly order: Order
  readonly timeoutMs: number
  readonly budget: TimeBudget
  readonly done: (answer: Answer) => void
  readonly failed: (e: unknown) => void
}

const CLOSING = 'the server is closing'

/**
 * A pool of worker processes in which clients take fair turns. The processes start with the first task. Idle processes
 * don't keep the server alive.
 */
export class WorkerPool<Order extends object, Answer> {
  private readonly options: WorkerPoolOptions
  private readonly line: FairQueue<Waiting<Order, Answer>>
  private readonly idle = new Map<WorkerProcess, NodeJS.Timeout>()
  private readonly all = new Set<WorkerProcess>()
  private closed = false
  constructor(options: WorkerPoolOptions) {
    this.options = options
    this.line = new FairQueue({ client: options.each, person: options.person?.each ?? options.each })
  }

  /**
   * Runs a client's task in a worker. Rejects with `PoolBusyError`, `TimeLimitError`, `MemoryLimitError` or `ProcessEndedError`,
   * or with an error that contains the worker's message for the log.
   */
  ask(
    order: Order,
    client = '',
    { person = '', timeoutMs = this.options.timeoutMs, budget = { leftMs: timeoutMs } }: TaskOptions = {},
  ): Promise<Answer> {
    if (this.closed) return Promise.reject(new Error(CLOSING))
    const owner = { client, person }
    const { queue, queueEach, person: personal } = this.options
    const { length } = this.line
    const own = this.line.lengthOf(owner)
    if (length >= queue || own.client >= queueEach || own.person >= (personal?.queue ?? queueEach))
      return Promise.reject(new PoolBusyError(`${length} tasks are already waiting; try again in a moment`))
    return new Promise((done, failed) => {
      this.line.add({ owner, order, timeoutMs, budget, done, failed })
      this.next()
    })
  }

  /** Returns the PIDs of the pool's processes. */
  get processes(): number[] {
    return [...this.all].flatMap((w) => w.pid ?? [])
  }

  /** Ends the workers. Tasks that are waiting or in progress fail. Resolves when all processes have ended. */
  async close(): Promise<void> {
    this.closed = true
    for (const w of this.line.empty()) w.failed(new Error(CLOSING))
    for (const rest of this.idle.values()) clearTimeout(rest)
    await Promise.all([...this.all].map((worker) => worker.end()))
  }

  private next(): void {
    const [free] = this.idle.keys()
    if (!free && this.all.size >= this.options.workers) return
    const next = this.line.take()
    if (next) void this.run(free ?? this.start(), next)
  }

  private start(): WorkerProcess {
    const worker = new WorkerProcess(this.options.program, this.options)
    this.all.add(worker)
    worker.onEnd(() => this.forget(worker))
    return worker
  }

  private async run(worker: WorkerProcess, task: Waiting<Order, Answer>): Promise<void> {
    const { owner, order, timeoutMs, budget, done, failed } = task
    const startedAt = performance.now()
    const limitMs = Math.min(timeoutMs, Math.max(budget.leftMs, 0))
    let leastMs = 0
    clearTimeout(this.idle.get(worker))
    this.idle.delete(worker)
    try {
      const reply = await worker.run<Answer>(order, limitMs)
      if (reply.memory > this.options.keeps) this.leave(worker)
      else this.idle.set(worker, setTimeout(() => this.leave(worker), this.options.idleMs).unref())
      if ('answer' in reply) done(reply.answer)
      else failed(new Error(reply.error))
    } catch (e) {
      this.leave(worker)
      // A timer may end a fraction of a millisecond early.
      if (e instanceof TimeLimitError) leastMs = limitMs
      failed(e)
    } finally {
      budget.leftMs -= Math.max(performance.now() - startedAt, leastMs)
      this.line.finish(owner)
      this.next()
    }
  }

  private leave(worker: WorkerProcess): void {
    this.forget(worker)
    worker.kill()
  }

  private forget(worker: WorkerProcess): void {
    clearTimeout(this.idle.get(worker))
    this.idle.delete(worker)
    this.all.delete(worker)
  }
}

const closers: (() => Promise<void>)[] = []

/**
 * Returns a function that returns a pool. The pool is created on first use and shared by all portals in this process.
 */
export function lazyPool<Order extends object, Answer>(
  options: () => WorkerPoolOptions,
): () => WorkerPool<Order, Answer> {
  let pool: WorkerPool<Order, Answer> | undefined
  closers.push(async () => {
    await pool?.close()
    pool = undefined
  })
  return () => {
    pool ??= new WorkerPool(options())
    return pool
  }
}

/**
 * Ends the processes of all open pools. Not required at shutdown, because these processes don't keep the server alive.
 */
export const closeAllPools = async (): Promise<void> => {
  await Promise.all(closers.map((close) => close()))
}
