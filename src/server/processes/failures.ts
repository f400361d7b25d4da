/** The queue is full; a retry may succeed. */
export class PoolBusyError extends Error {}

/** The job exceeded the time limit. */
export class TimeLimitError extends Error {}

/** The job exceeded the memory limit. */
export class MemoryLimitError extends Error {}

/** The process ended during the job. */
export class ProcessEndedError extends Error {
  /** Signal that ended the process; null if it exited. */
  readonly signal: NodeJS.Signals | null
  constructor(message: string, signal: NodeJS.Signals | null) {
    super(message)
    this.signal = signal
  }
}
