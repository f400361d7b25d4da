import { parentPort, workerData } from 'node:worker_threads'
import { TOO_MUCH_MEMORY } from './reply.ts'

/*
 * A thread beside a worker's work: native code and WebAssembly let no timer of their own thread run, so that only another one can
 * see that they take too much, or that nobody is there any more who waits for them. It sleeps while there is no work.
 */
const { working, parent, memory } = workerData as {
  readonly working: Int32Array
  /** The id of the process that gives the orders. */
  readonly parent: number
  /** Bytes. */
  readonly memory: number
}

const EVERY_MS = 20

parentPort?.postMessage('watching')
for (;;) {
  Atomics.wait(working, 0, 0)
  while (Atomics.wait(working, 0, 1, EVERY_MS) === 'timed-out') {
    if (process.memoryUsage.rss() > memory) process.kill(process.pid, TOO_MUCH_MEMORY)
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  }
}
