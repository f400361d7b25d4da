import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const SCRIPT = join(import.meta.dirname, 'lane-process.ts')
const running = new Set<ChildProcess>()
afterAll(() => {
  for (const p of running) p.kill('SIGKILL')
})

/** A process that works on the lanes of a database, as soon as it does. */
export async function startProcess(url: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [SCRIPT, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  child.on('exit', () => running.delete(child))
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return child
}

/** Ends a process as the machine might, and waits until it has gone. */
export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
