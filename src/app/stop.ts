/** Signals that ask this process to end, sent by a terminal, by a supervisor or when the terminal closes. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/**
 * Milliseconds within which repeated signals are treated as one. A signal to the process group also arrives through
 * parent processes.
 */
const ONE_WISH_MS = 2000
/** Milliseconds allowed for completing work in progress. */
const SHUTDOWN_TIMEOUT_MS = 25_000

/**
 * Calls `stop` on a signal, then ends the process. A second signal after `ONE_WISH_MS`, or a timeout, ends the process
 * immediately with a failure code.
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
