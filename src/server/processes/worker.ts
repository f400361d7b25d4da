import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Ended, Heavy, Late } from './failures.ts'
import { type Reply, TOO_MUCH_MEMORY } from './reply.ts'

/** What a worker may take for one order. */
export interface Limits {
  readonly timeoutMs: number
  /** Bytes, of the whole process. */
  readonly memory: number
}

/** A process of our own that does one order at a time. Without one it keeps nothing alive. */
export class Worker {
  private readonly child: ChildProcess
  private readonly limits: Limits

  /** `program` is a file that calls `serveOrders`. */
  constructor(program: URL, limits: Limits) {
    this.limits = limits
    // The environment holds the portal's secrets; a worker needs none of them.
    this.child = fork(fileURLToPath(program), [String(limits.memory)], {
      serialization: 'advanced',
      execArgv: [],
      env: {},
      // In a group of its own: a signal to the server's group is for the server, which still wants what is being made.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.child.on('error', () => {})
  }

  get pid(): number | undefined {
    return this.child.pid
  }

  /** Calls back when the process is no more, or could not be started. */
  onEnd(then: () => void): void {
    this.child.once('exit', then).once('error', then)
  }

  /** Rejects with `Late`, `Heavy` or `Ended`: then it is of no more use. */
  async run<Answer>(order: object): Promise<Reply<Answer>> {
    const { child } = this
    const { promise, resolve, reject } = Promise.withResolvers<Reply<Answer>>()
    const ended = (code: number | null, signal: NodeJS.Signals | null) => reject(endOf(code, signal))
    const { timeoutMs } = this.limits
    const late = setTimeout(() => reject(new Late(`it took longer than ${timeoutMs / 1000} seconds`)), timeoutMs)
    child.on('message', resolve).on('exit', ended).on('error', reject)
    child.ref()
    child.channel?.ref()
    try {
      child.send(order, (e) => e && reject(new Ended(e.message, null)))
      return await promise
    } finally {
      clearTimeout(late)
      child.off('message', resolve).off('exit', ended).off('error', reject)
      child.unref()
      child.channel?.unref()
    }
  }

  kill(): void {
    this.child.kill('SIGKILL')
  }

  /** Ends the process; resolves when it is no more. */
  async end(): Promise<void> {
    const { child } = this
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    const ended = new Promise((r) => child.once('exit', r))
    this.kill()
    await ended
  }
}

function endOf(code: number | null, signal: NodeJS.Signals | null): Error {
  if (signal === TOO_MUCH_MEMORY) return new Heavy('it took more memory than it may')
  return new Ended(`the process that was at it ended (${signal ?? `code ${code}`})`, signal)
}
