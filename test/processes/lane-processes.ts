import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const SCRIPT = join(import.meta.dirname, 'lane-process.ts')
const running = new Set<ChildProcess>()
afterAll(() => {
  for (const p of running) p.kill('SIGKILL')
})

/** Starts a process that works on the queues of a database. Resolves once the process is working. */
export async function startQueueProcess(url: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [SCRIPT, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  child.on('exit', () => running.delete(child))
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return child
}

export async function killProcess(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
