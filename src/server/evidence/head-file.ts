import { createReadStream } from 'node:fs'
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Config } from '#server/config.ts'
import { codeOf } from '#server/error-code.ts'
import { evidenceFolder, type SignedHead } from './keys.ts'

type Where = Pick<Config, 'dataDir'>

const fileOf = (config: Where) => join(evidenceFolder(config), 'heads.jsonl')

/** Appends heads to the file outside the database, one per line. */
export async function appendHeads(config: Where, heads: readonly SignedHead[]): Promise<void> {
  await mkdir(evidenceFolder(config), { recursive: true, mode: 0o700 })
  const lines = heads.map((head) => `${JSON.stringify(head)}\n`).join('')
  await appendFile(fileOf(config), lines, { mode: 0o600, flush: true })
}

/** Yields the heads in the file, in order; none if there is no file. Skips a line truncated by a crash. */
export async function* readHeadsFromFile(config: Where): AsyncGenerator<SignedHead> {
  try {
    for await (const line of createInterface({
      input: createReadStream(fileOf(config)),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      const head = headIn(line)
      if (head) yield head
    }
  } catch (e) {
    if (codeOf(e) !== 'ENOENT') throw e
  }
}

function headIn(line: string): SignedHead | undefined {
  try {
    return JSON.parse(line) as SignedHead
  } catch {
    return undefined
  }
}
