/** Too much waits already; a moment later it may not. */
export class Busy extends Error {}

/** It took longer than anything may. */
export class Late extends Error {}

/** It took more memory than anything may. */
export class Heavy extends Error {}

/** The process came to its end while it worked. */
export class Ended extends Error {
  /** What it was ended by; nothing where it ended by itself. */
  readonly signal: NodeJS.Signals | null
  constructor(message: string, signal: NodeJS.Signals | null) {
    super(message)
    this.signal = signal
  }
}
