/** Error thrown when the queue is full. Trying again later may succeed. */
export class PoolBusyError extends Error {}

export class TimeLimitError extends Error {}

export class MemoryLimitError extends Error {}

/** Error thrown when the process has ended during a task. */
export class ProcessEndedError extends Error {
  /** Signal that ended the process; null if the process exited without a signal. */
  readonly signal: NodeJS.Signals | null
  constructor(message: string, signal: NodeJS.Signals | null) {
    super(message)
    this.signal = signal
  }
}
