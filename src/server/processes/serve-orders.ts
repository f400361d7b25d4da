import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { MEMORY_LIMIT_SIGNAL, type WorkerReply } from './worker.ts'

/**
 * Returns the peak memory use of this process in bytes if the system reports it (Linux), otherwise the current memory
 * use.
 */
function peakMemory(): number {
  try {
    const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return kilobytes ? Number(kilobytes) * 1024 : process.memoryUsage.rss()
  } catch {
    return process.memoryUsage.rss()
  }
}

/** Signals that the worker ignores, because the server still needs the current task and ends the worker itself. */
const PATIENT_WITH = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Makes this process a worker that executes its parent's tasks, one at a time. The worker ends when its parent ends.
 * `watch.ts` also ends it if it exceeds its memory limit, even within native code. If `work` throws, the error message
 * is sent to the parent.
 */
export function serveTasks<Order, Answer>(work: (order: Order) => Promise<Answer> | Answer): void {
  const memory = Number(process.argv[2])
  const working = new Int32Array(new SharedArrayBuffer(4))
  const watch = new Worker(new URL('./watch.ts', import.meta.url), {
    workerData: { working, parent: process.ppid, memory },
  })
  watch.unref()
  // Waits until the watching thread has started, because an early task would otherwise run unwatched.
  const watching = once(watch, 'message')
  const setWorking = (is: 0 | 1) => {
    Atomics.store(working, 0, is)
    Atomics.notify(working, 0)
  }
  const reply = async (order: Order): Promise<WorkerReply<Answer>> => {
    try {
      const answer = await work(order)
      return { answer, memory: process.memoryUsage.rss() }
    } catch (e) {
      return { error: e instanceof Error ? e.message : String(e), memory: process.memoryUsage.rss() }
    }
  }
  for (const signal of PATIENT_WITH) process.on(signal, () => {})
  const serve = async (order: Order) => {
    await watching
    setWorking(1)
    const answer = await reply(order)
    setWorking(0)
    // Checks the memory limit again, because the watching thread may be too slow on a busy machine.
    if (peakMemory() > memory) process.kill(process.pid, MEMORY_LIMIT_SIGNAL)
    else process.send?.(answer)
  }
  process.on('message', (order: Order) => void serve(order))
  process.on('disconnect', () => process.exit())
}
