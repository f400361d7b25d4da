/** Error if the queue is full. Trying again later may succeed. */
export class PoolBusyError extends Error {}

/** Error if the task exceeded its time limit. */
export class TimeLimitError extends Error {}

/** Error if the task exceeded its memory limit. */
export class MemoryLimitError extends Error {}

/** Error if the process ended during the task. */
export class ProcessEndedError extends Error {
  /** Signal that ended the process; null if the process exited by itself. */
  readonly signal: NodeJS.Signals | null
  constructor(message: string, signal: NodeJS.Signals | null) {
    super(message)
    this.signal = signal
  }
}
