import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isProcessAlive } from '#server/db/embedded/data-folder.ts'

export function findPostmasterPid(dir: string): number {
  const file = join(dir, 'database', 'postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
}

/** Lists the processes on this machine: process ID, parent, group and command line. */
const processes = () =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,pgid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => {
      const [pid = 0, parent = 0, group = 0] = line.trim().split(/\s+/).map(Number)
      return { pid, parent, group, args: line }
    })

/** Returns the IDs of the PostgreSQL processes that serve the portal's connections. */
export const listBackendPids = (postmaster: number): number[] =>
  processes()
    .filter(({ parent, args }) => parent === postmaster && / stanchion stanchion /.test(args))
    .map(({ pid }) => pid)

/** Returns the IDs of the watcher processes that stop PostgreSQL when its portal has ended, in ascending order. */
export const listWatcherPids = (postmaster: number): number[] =>
  processes()
    .filter(({ pid, group }) => group === postmaster && pid !== postmaster)
    .map(({ pid }) => pid)

export const hasProcessEnded = (pid: number): boolean => !isProcessAlive(pid)

/** Kills a process unless it has already ended. PostgreSQL ends all its processes when one of them is killed. */
export function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
