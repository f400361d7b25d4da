import { url as inspectorUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'

const BEAT_MS = 1000

/** What the watcher is told: the count of beats, after how many silent seconds it acts, and what it says then. */
export interface Watched {
  readonly beats: SharedArrayBuffer
  readonly seconds: number
  readonly sentence: string
}

/**
 * Ends the process by SIGKILL when it has done nothing but one thing for so many seconds: a statement of the embedded database
 * runs in this process, knows no time limit, and nobody is answered meanwhile. The thread that watches is the only one that still
 * can. Not while somebody looks with a debugger, who stops everything.
 */
export function watchLoop(seconds: number, sentence: string): void {
  if (inspectorUrl()) return
  const beats = new SharedArrayBuffer(4)
  const count = new Int32Array(beats)
  const workerData: Watched = { beats, seconds, sentence }
  new Worker(new URL('./watch-loop-thread.ts', import.meta.url), { workerData }).unref()
  setInterval(() => Atomics.add(count, 0, 1), BEAT_MS).unref()
}
