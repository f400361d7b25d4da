/** What asks a program to end: a terminal, whoever supervises it, a terminal that is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Milliseconds in which further signals are the same wish: sent to the whole process group, it also comes by those who pass it on. */
const ONE_WISH_MS = 2000
/** Milliseconds for what is under way. */
const PATIENCE_MS = 25_000

/**
 * Ends the process on a signal, when `stop` has finished what is under way. A second wish, or too long a time, ends it at once
 * and with a failure.
 */
export function onStopSignal(stop: () => Promise<void>): void {
  let wishedAt: number | undefined
  const end = () => {
    if (wishedAt !== undefined) {
      if (performance.now() - wishedAt > ONE_WISH_MS) process.exit(1)
      return
    }
    wishedAt = performance.now()
    setTimeout(() => process.exit(1), PATIENCE_MS).unref()
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
