import { parentPort, workerData } from 'node:worker_threads'
import { MEMORY_LIMIT_SIGNAL } from './worker.ts'

/*
 * This thread runs beside the worker's main thread. Native code and WebAssembly block the timers in their own thread,
 * so only another thread can detect that memory use is too high or that the parent has ended. The thread sleeps while
 * there is no task.
 */
const { working, parent, memory } = workerData as {
  readonly working: Int32Array
  /** PID of the parent process. */
  readonly parent: number
  /** Memory limit in bytes. */
  readonly memory: number
}

const EVERY_MS = 20

parentPort?.postMessage('watching')
for (;;) {
  Atomics.wait(working, 0, 0)
  while (Atomics.wait(working, 0, 1, EVERY_MS) === 'timed-out') {
    if (process.memoryUsage.rss() > memory) process.kill(process.pid, MEMORY_LIMIT_SIGNAL)
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  }
}
