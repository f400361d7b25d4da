import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What a worker is asked for. */
export interface Order {
  /** Absolute path of the `.typ` file. */
  readonly template: string
  /** JSON text. */
  readonly data: string
}

/** What it sends back, with its memory in bytes. */
export type Answer = { readonly rss: number } & ({ readonly pdf: Uint8Array } | { readonly error: string })

export interface PoolOptions {
  readonly workers: number
  /** Orders that may wait, in all and of one client. */
  readonly queue: number
  readonly queueEach: number
  readonly timeoutMs: number
  /** A worker without work leaves after this long. */
  readonly idleMs: number
  /** A worker that holds more leaves after its order. Bytes. */
  readonly memory: number
}

/** Too much waits already; a moment later it may not. */
export class Busy extends Error {}
/** It took longer than anything may. */
export class Late extends Error {}

interface Waiting {
  /** Whose order it is. */
  readonly whose: string
  readonly order: Order
  readonly done: (pdf: Buffer) => void
  readonly failed: (e: Error) => void
}

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url))

/** A few processes that make PDFs. They start with the first order and keep nothing alive while they have none. */
export class Pool {
  private readonly options: PoolOptions
  private readonly waiting: Waiting[] = []
  private readonly idle = new Map<ChildProcess, NodeJS.Timeout>()
  private readonly all = new Set<ChildProcess>()
  /** Orders under way, by whose they are. */
  private readonly underWay = new Map<string, number>()
  /** Who had which turn last. */
  private readonly turns = new Map<string, number>()
  private turn = 0
  private closed = false
  constructor(options: PoolOptions) {
    this.options = options
  }

  /** Rejects with a sentence for the log when the order fails, takes too long, or too many wait. */
  render(order: Order, whose = ''): Promise<Buffer> {
    if (this.closed) return Promise.reject(new Error('PDFs are no longer made: the server is closing.'))
    const own = this.waiting.filter((w) => w.whose === whose).length
    if (this.waiting.length >= this.options.queue || own >= this.options.queueEach)
      return Promise.reject(new Busy(`${this.waiting.length} PDFs are waiting already; ask again in a moment.`))
    return new Promise((done, failed) => {
      this.waiting.push({ whose, order, done, failed })
      this.next()
    })
  }

  /** How many processes there are. */
  get size(): number {
    return this.all.size
  }

  /** Ends the workers; orders under way and waiting fail. Resolves when all processes have ended. */
  async close(): Promise<void> {
    this.closed = true
    for (const w of this.waiting.splice(0)) w.failed(new Error('PDFs are no longer made: the server is closing.'))
    await Promise.all(
      [...this.all].map((worker) => {
        worker.ref()
        const ended = new Promise((r) => worker.once('exit', r))
        this.end(worker)
        return ended
      }),
    )
  }

  private next(): void {
    if (!this.waiting.length) return
    const [free] = this.idle.keys()
    const worker = free ?? (this.all.size < this.options.workers ? this.start() : undefined)
    if (!worker) return
    clearTimeout(this.idle.get(worker))
    this.idle.delete(worker)
    this.run(worker, this.takeNext())
  }

  /**
   * What waits of whoever has least under way, and of those of whoever had a turn longest ago: nobody waits behind all that another
   * has ordered, however few processes there are.
   */
  private takeNext(): Waiting {
    const rank = ({ whose }: Waiting) => [this.underWay.get(whose) ?? 0, this.turns.get(whose) ?? 0] as const
    const next = this.waiting.reduce((a, b) => (isBefore(rank(b), rank(a)) ? b : a))
    this.waiting.splice(this.waiting.indexOf(next), 1)
    this.turns.set(next.whose, ++this.turn)
    return next
  }

  private count(whose: string, by: 1 | -1): void {
    const now = (this.underWay.get(whose) ?? 0) + by
    if (now > 0) this.underWay.set(whose, now)
    else this.underWay.delete(whose)
  }

  private start(): ChildProcess {
    // The environment holds the portal's secrets; a worker needs none of them.
    const worker = fork(WORKER, {
      serialization: 'advanced',
      execArgv: [],
      env: {},
      // In a group of its own: a signal to the server's group is for the server, which still wants what is being made.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.all.add(worker)
    worker.once('exit', () => this.forget(worker))
    worker.on('error', () => this.forget(worker))
    return worker
  }

  private run(worker: ChildProcess, { whose, order, done, failed }: Waiting): void {
    hold(worker)
    this.count(whose, 1)
    const settle = (then: () => void) => {
      clearTimeout(timer)
      this.count(whose, -1)
      worker.off('message', answered).off('exit', ended).off('error', broken)
      then()
      this.next()
    }
    const answered = (a: Answer) =>
      settle(() => {
        if (a.rss > this.options.memory) this.end(worker)
        else this.rest(worker)
        if ('pdf' in a) done(Buffer.from(a.pdf.buffer, a.pdf.byteOffset, a.pdf.byteLength))
        else failed(new Error(a.error))
      })
    const ended = (code: number | null, signal: string | null) =>
      settle(() => failed(new Error(`the process that makes PDFs ended (${signal ?? `code ${code}`})`)))
    const broken = (e: Error) =>
      settle(() => {
        this.end(worker)
        failed(e)
      })
    const timer = setTimeout(() => {
      const seconds = this.options.timeoutMs / 1000
      settle(() => {
        this.end(worker)
        failed(new Late(`it took longer than ${seconds} seconds`))
      })
    }, this.options.timeoutMs)
    worker.on('message', answered).on('exit', ended).on('error', broken)
    worker.send(order, (e) => e && broken(e))
  }

  private rest(worker: ChildProcess): void {
    release(worker)
    this.idle.set(worker, setTimeout(() => this.end(worker), this.options.idleMs).unref())
  }

  private end(worker: ChildProcess): void {
    this.forget(worker)
    worker.kill('SIGKILL')
  }

  private forget(worker: ChildProcess): void {
    clearTimeout(this.idle.get(worker))
    this.idle.delete(worker)
    this.all.delete(worker)
  }
}

const isBefore = ([busy, turn]: readonly [number, number], [otherBusy, otherTurn]: readonly [number, number]) =>
  busy < otherBusy || (busy === otherBusy && turn < otherTurn)

/** While a worker has an order, the server's process stays for it; otherwise not. */
function hold(worker: ChildProcess): void {
  worker.ref()
  worker.channel?.ref()
}
function release(worker: ChildProcess): void {
  worker.unref()
  worker.channel?.unref()
}
