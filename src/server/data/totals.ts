import type { Conn, Prepared } from '#server/db/db.ts'
import { COUNT_CAP, prepare } from './queries.ts'

interface Known {
  total: number
  at: number
  refreshing: boolean
}

/** How long a large total is good without another look; writes of this process end it at once. */
const FRESH_MS = 2000
const LIMIT = 500

/**
 * Exact totals that stay fast. Up to ten thousand rows are counted every time; beyond that the exact count is kept for
 * two seconds, and while it is renewed the last one is given.
 */
export class Totals {
  private readonly known = new Map<string, Known>()
  private readonly db: Conn
  constructor(db: Conn) {
    this.db = db
  }

  async total(table: string, query: Prepared, values: readonly unknown[]): Promise<number> {
    const key = `${table} ${query.name} ${JSON.stringify(values)}`
    const known = this.known.get(key)
    if (known) {
      if (Date.now() - known.at > FRESH_MS && !known.refreshing) {
        known.refreshing = true
        void this.exact(key, query, values).catch(() => this.known.delete(key))
      }
      return known.total
    }
    const [[n] = [0]] = await this.db.arrays(query, values)
    return Number(n) < COUNT_CAP ? Number(n) : this.exact(key, query, values)
  }

  private async exact(key: string, query: Prepared, values: readonly unknown[]): Promise<number> {
    const whole = prepare(query.text.replace(` LIMIT ${COUNT_CAP}`, ''))
    const [[n] = [0]] = await this.db.arrays(whole, values)
    if (this.known.size >= LIMIT) this.known.clear()
    if (Number(n) >= COUNT_CAP) this.known.set(key, { total: Number(n), at: Date.now(), refreshing: false })
    return Number(n)
  }

  /** A row of this table has come or gone. */
  changed(table: string): void {
    for (const key of this.known.keys()) if (key.startsWith(`${table} `)) this.known.delete(key)
  }
}
