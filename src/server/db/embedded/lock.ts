import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '#server/error-code.ts'

/** Is a process with this id alive? */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (e) {
    return codeOf(e) === 'EPERM'
  }
}

/**
 * Takes a folder for this process. A lock left by a process that is gone is taken over. Throws one sentence when another process holds it.
 */
export function lock(dir: string): () => void {
  const file = join(dir, 'stanchion.lock')
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (e) {
      if (codeOf(e) !== 'EEXIST') throw e
      const holder = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
      if (holder && holder !== process.pid && isAlive(holder))
        throw new Error(
          `The data folder ${dir} is in use by another portal (process ${holder}). Stop that one first, or set DATA_DIR to another folder.`,
        )
      rmSync(file, { force: true })
    }
  }
  throw new Error(`The data folder ${dir} could not be locked.`)
}
