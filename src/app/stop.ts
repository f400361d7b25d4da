/** Signals that ask a program to end, sent by a terminal, a supervisor or a closing terminal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/**
 * Milliseconds in which repeated signals count as one: a signal to the process group also arrives through parent
 * processes.
 */
const ONE_WISH_MS = 2000
/** Milliseconds allowed for finishing work in progress. */
const SHUTDOWN_TIMEOUT_MS = 25_000

/**
 * Calls `stop` on a signal, then ends the process. A second signal or a timeout ends it immediately with a failure
 * code.
 */
export function onStopSignal(stop: () => Promise<void>): void {
  let wishedAt: number | undefined
  const end = () => {
    if (wishedAt !== undefined) {
      if (performance.now() - wishedAt > ONE_WISH_MS) process.exit(1)
      return
    }
    wishedAt = performance.now()
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref()
    stop().then(
      () => process.exit(0),
      (e: unknown) => {
        process.stderr.write(`${String(e)}\n`)
        process.exit(1)
      },
    )
  }
  for (const signal of SIGNALS) process.on(signal, end)
}
