import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import decode from 'heic-decode'

/** Runs in a thread of its own: the path of a HEIC file in, its pixels (RGBA) out. */
const { width, height, data } = await decode({ buffer: await readFile(workerData as string) })
const pixels = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
parentPort?.postMessage({ width, height, data: pixels }, [pixels.buffer as ArrayBuffer])
