import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import type { Watched } from './watch-loop.ts'

const LOOK_MS = 1000

const { beats, seconds, sentence } = workerData as Watched
const count = new Int32Array(beats)
let last = 0
let silent = 0

// Looks are counted, not the time: a machine that slept has missed as many of them as of the beats.
setInterval(() => {
  const now = Atomics.load(count, 0)
  silent = now === last ? silent + 1 : 0
  last = now
  if (silent * LOOK_MS < seconds * 1000) return
  writeSync(2, `${sentence}\n`)
  process.kill(process.pid, 'SIGKILL')
}, LOOK_MS)
