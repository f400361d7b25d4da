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
  /** Orders that may wait. */
  readonly queue: number
  readonly timeoutMs: number
  /** A worker without work leaves after this long. */
  readonly idleMs: number
  /** A worker that holds more leaves after its order. Bytes. */
  readonly memory: number
}

interface Waiting {
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
  private closed = false
  constructor(options: PoolOptions) {
    this.options = options
  }

  /** Rejects with a sentence for the log when the order fails, takes too long, or too many wait. */
  render(order: Order): Promise<Buffer> {
    if (this.closed) return Promise.reject(new Error('PDFs are no longer made: the server is closing.'))
    if (this.waiting.length >= this.options.queue)
      return Promise.reject(new Error(`${this.waiting.length} PDFs are waiting already; ask again in a moment.`))
    return new Promise((done, failed) => {
      this.waiting.push({ order, done, failed })
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
    this.run(worker, this.waiting.shift() as Waiting)
  }

  private start(): ChildProcess {
    // The environment holds the portal's secrets; a worker needs none of them.
    const worker = fork(WORKER, {
      serialization: 'advanced',
      execArgv: [],
      env: {},
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.all.add(worker)
    worker.once('exit', () => this.forget(worker))
    worker.on('error', () => this.forget(worker))
    return worker
  }

  private run(worker: ChildProcess, { order, done, failed }: Waiting): void {
    hold(worker)
    const settle = (then: () => void) => {
      clearTimeout(timer)
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
        failed(new Error(`it took longer than ${seconds} seconds`))
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

/** While a worker has an order, the server's process stays for it; otherwise not. */
function hold(worker: ChildProcess): void {
  worker.ref()
  worker.channel?.ref()
}
function release(worker: ChildProcess): void {
  worker.unref()
  worker.channel?.unref()
}
