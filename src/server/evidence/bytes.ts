import { createHash } from 'node:crypto'
import type { StoredColumns } from '#kernel/evidence.ts'
import { type FileStore, MissingFileError } from '#server/files/port.ts'
import type { RecordReplay } from './replay.ts'

/** Most cached checksums, so that a file that many records refer to is read once. */
const MOST_REMEMBERED = 10_000

interface Kept {
  readonly called: string
  readonly key: string
  readonly checksum: string
}

/** Compares the bytes of sealed files with their checksums. */
export class FileByteChecker {
  private readonly store: FileStore
  private readonly seen = new Map<string, string | undefined>()
  constructor(store: FileStore) {
    this.store = store
  }

  /** Describes each mismatch of a record's files in a sentence. */
  async untruths(replay: RecordReplay): Promise<string[]> {
    const untrue: string[] = []
    for (const { called, key, checksum } of filesOf(replay)) {
      const is = await this.digest(key)
      if (is === undefined) untrue.push(`the bytes of ${called} are missing`)
      else if (is !== checksum) untrue.push(`the bytes of ${called} differ from those that were sealed`)
    }
    return untrue
  }

  /** SHA-256 in hexadecimal; `undefined` if the file is missing. */
  private async digest(key: string): Promise<string | undefined> {
    if (this.seen.has(key)) return this.seen.get(key)
    const digest = await this.read(key)
    if (this.seen.size >= MOST_REMEMBERED) this.seen.clear()
    this.seen.set(key, digest)
    return digest
  }

  private async read(key: string): Promise<string | undefined> {
    const sum = createHash('sha256')
    try {
      for await (const chunk of await this.store.get(key)) sum.update(chunk as Buffer)
    } catch (e) {
      if (e instanceof MissingFileError) return undefined
      throw e
    }
    return sum.digest('hex')
  }
}

function filesOf({ of, columns, rows, files }: RecordReplay): Kept[] {
  const uploads = [...files.values()].map((file) =>
    kept(`the file "${String(file.name)}" that it refers to`, file, 'file_key', 'checksum'),
  )
  const own = of.rows.flatMap(({ table, named, file }) =>
    file ? [...(rows.get(table)?.values() ?? [])].map((row) => kept(named(row), row, file.key, file.checksum)) : [],
  )
  const itself = of.file ? [kept('its file', columns, of.file.key, of.file.checksum)] : []
  return [...itself, ...uploads, ...own]
}

const kept = (called: string, row: StoredColumns, key: string, checksum: string): Kept => ({
  called,
  key: String(row[key]),
  checksum: String(row[checksum]),
})
