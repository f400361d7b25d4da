import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { type Reply, TOO_MUCH_MEMORY } from './reply.ts'

/** The most bytes that this process has held at once, where the system tells (Linux); elsewhere, what it holds now. */
function peakMemory(): number {
  try {
    const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return kilobytes ? Number(kilobytes) * 1024 : process.memoryUsage.rss()
  } catch {
    return process.memoryUsage.rss()
  }
}

/** Asked to end by whoever stops all processes at once, it waits: the server still wants what is being made, and ends it. */
const PATIENT_WITH = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Makes this process a worker: does what its parent orders, one order at a time. It ends with its parent, and, by `watch.ts`, when it
 * holds more memory than its parent said, though it be in the middle of native code. What `work` throws is answered as its sentence.
 */
export function serveOrders<Order, Answer>(work: (order: Order) => Promise<Answer> | Answer): void {
  const memory = Number(process.argv[2])
  const working = new Int32Array(new SharedArrayBuffer(4))
  const watch = new Worker(new URL('./watch.ts', import.meta.url), {
    workerData: { working, parent: process.ppid, memory },
  })
  watch.unref()
  // It takes a while to begin: an order that came at once would be done unwatched.
  const watching = once(watch, 'message')
  const setWorking = (is: 0 | 1) => {
    Atomics.store(working, 0, is)
    Atomics.notify(working, 0)
  }
  const reply = async (order: Order): Promise<Reply<Answer>> => {
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
    // On a busy machine the watching thread may have come too late.
    if (peakMemory() > memory) process.kill(process.pid, TOO_MUCH_MEMORY)
    else process.send?.(answer)
  }
  process.on('message', (order: Order) => void serve(order))
  process.on('disconnect', () => process.exit())
}
