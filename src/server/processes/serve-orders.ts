import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { MEMORY_LIMIT_SIGNAL, type WorkerReply } from './worker.ts'

/** Peak memory of this process in bytes, if the system reports it (Linux), or else its current memory. */
function peakMemory(): number {
  try {
    const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return kilobytes ? Number(kilobytes) * 1024 : process.memoryUsage.rss()
  } catch {
    return process.memoryUsage.rss()
  }
}

/** Ignored signals: the server still needs the current task, and ends the worker itself. */
const PATIENT_WITH = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Makes this process a worker that executes its parent's tasks one at a time. It ends with its parent, and, by
 * `watch.ts`, if it exceeds its memory limit, even within native code. Messages of errors thrown by `work` are
 * returned.
 */
export function serveTasks<Order, Answer>(work: (order: Order) => Promise<Answer> | Answer): void {
  const memory = Number(process.argv[2])
  const working = new Int32Array(new SharedArrayBuffer(4))
  const watch = new Worker(new URL('./watch.ts', import.meta.url), {
    workerData: { working, parent: process.ppid, memory },
  })
  watch.unref()
  // Waits for the watching thread, because an early task would otherwise run unwatched.
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
    // Repeats the check, because the watching thread may be too slow on a busy machine.
    if (peakMemory() > memory) process.kill(process.pid, MEMORY_LIMIT_SIGNAL)
    else process.send?.(answer)
  }
  process.on('message', (order: Order) => void serve(order))
  process.on('disconnect', () => process.exit())
}
