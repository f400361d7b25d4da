import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { RowSink } from '#server/db/db.ts'

/** Bytes per write. */
const PORTION = 128 * 1024
const CR = 13
const LF = 10

/** Streams CSV rows from the database to a file. Replaces PostgreSQL's line endings with those of CSV. */
export class CsvCopyWriter implements RowSink {
  rows = 0
  private readonly to: Writable
  private held = Buffer.allocUnsafe(PORTION)
  private at = 0
  private isFree = true
  private failed: Error | undefined
  private go: (() => void) | undefined

  constructor(to: Writable, heading: string) {
    this.to = to
    to.write(heading)
    to.on('drain', () => this.free())
    // After an error, further rows are read from the database and discarded.
    to.on('error', (e) => {
      this.failed = e
      this.free()
    })
  }

  take(row: Buffer): boolean {
    this.rows += 1
    if (this.failed) return true
    if (this.at + row.length + 1 > this.held.length) this.write(Math.max(PORTION, row.length + 1))
    this.at += row.copy(this.held, this.at, 0, row.length - 1)
    this.held[this.at++] = CR
    this.held[this.at++] = LF
    return this.isFree
  }

  whenFree(go: () => void): void {
    if (this.isFree) go()
    else this.go = go
  }

  /** Writes the buffered rows, and waits until the file is complete. */
  async end(): Promise<void> {
    if (this.failed) throw this.failed
    this.to.end(this.held.subarray(0, this.at))
    await finished(this.to)
  }

  private write(next: number): void {
    this.isFree = this.to.write(this.held.subarray(0, this.at))
    this.held = Buffer.allocUnsafe(next)
    this.at = 0
  }

  private free(): void {
    this.isFree = true
    this.go?.()
    this.go = undefined
  }
}
