import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { MemoryLimitError, ProcessEndedError, TimeLimitError } from './failures.ts'

/** Message from a worker, with the number of bytes of memory that its process uses. */
export type WorkerReply<Answer> = { readonly memory: number } & (
  | { readonly answer: Answer }
  | { readonly error: string }
)

/** Signal with which a worker ends itself when it exceeds its memory limit. */
export const MEMORY_LIMIT_SIGNAL = 'SIGUSR2'

export interface WorkerLimits {
  readonly timeoutMs: number
  /** Maximum memory use of the process, in bytes. */
  readonly memory: number
}

/** A child process that executes one task at a time. It does not keep the server alive while idle. */
export class WorkerProcess {
  private readonly child: ChildProcess
  private readonly limits: WorkerLimits

  /** `program`: a file that calls `serveTasks`. */
  constructor(program: URL, limits: WorkerLimits) {
    this.limits = limits
    // The worker's environment is empty, because the server's environment contains the portal's secrets and a worker
    // needs none of them.
    this.child = fork(fileURLToPath(program), [String(limits.memory)], {
      serialization: 'advanced',
      execArgv: [],
      env: {},
      // The worker has its own process group, because a signal to the server's group must not end work that the server
      // still needs.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.child.on('error', () => {})
  }

  get pid(): number | undefined {
    return this.child.pid
  }

  /** Calls `then` when the process has ended or could not be started. */
  onEnd(then: () => void): void {
    this.child.once('exit', then).once('error', then)
  }

  /**
   * Runs a task. Rejects with `TimeLimitError`, `MemoryLimitError` or `ProcessEndedError`, after which the worker can't
   * be used again.
   */
  async run<Answer>(order: object, timeoutMs = this.limits.timeoutMs): Promise<WorkerReply<Answer>> {
    const { child } = this
    const { promise, resolve, reject } = Promise.withResolvers<WorkerReply<Answer>>()
    const ended = (code: number | null, signal: NodeJS.Signals | null) => reject(endOf(code, signal))
    const late = setTimeout(
      () => reject(new TimeLimitError(`it took longer than ${timeoutMs / 1000} seconds`)),
      timeoutMs,
    )
    child.on('message', resolve).on('exit', ended).on('error', reject)
    child.ref()
    child.channel?.ref()
    try {
      child.send(order, (e) => e && reject(new ProcessEndedError(e.message, null)))
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

  /** Ends the process. Resolves when the process has ended. */
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
  if (signal === MEMORY_LIMIT_SIGNAL) return new MemoryLimitError('it exceeded its memory limit')
  return new ProcessEndedError(`its process ended (${signal ?? `code ${code}`})`, signal)
}
