import type { Conn } from '#server/db/db.ts'
import { COUNT_CAP, type Count } from './queries.ts'

interface Known {
  total: number
  at: number
  refreshing: boolean
}

/** What is counted. */
interface Counted {
  readonly table: string
  readonly count: Count
}

const keyOf = (table: string, { capped }: Count) => `${table} ${capped.query.text} ${JSON.stringify(capped.values)}`

/** How long a large total is good without another look; writes of this process end it at once. */
const FRESH_MS = 2000
const LIMIT = 500

/**
 * Exact totals that stay fast. Up to ten thousand rows are counted every time; beyond that the exact count is kept for
 * two seconds, and while it is renewed the last one is given.
 */
export class Totals {
  private readonly totals = new Map<string, Known>()
  private readonly db: Conn
  constructor(db: Conn) {
    this.db = db
  }

  /** A large total that was counted lately, and is counted again meanwhile. */
  known({ table, count }: Counted): number | undefined {
    const key = keyOf(table, count)
    const known = this.totals.get(key)
    if (known && Date.now() - known.at > FRESH_MS && !known.refreshing) {
      known.refreshing = true
      void this.exact(key, count).catch(() => this.totals.delete(key))
    }
    return known?.total
  }

  /** The exact total, where the count up to the cap came to `n` or is still to be made. */
  async total({ table, count }: Counted, n?: number): Promise<number> {
    const [[capped] = [0]] = n === undefined ? await this.db.arrays(count.capped.query, count.capped.values) : [[n]]
    return Number(capped) < COUNT_CAP ? Number(capped) : this.exact(keyOf(table, count), count)
  }

  private async exact(key: string, { whole }: Count): Promise<number> {
    const [[n] = [0]] = await this.db.arrays(whole.query, whole.values)
    if (this.totals.size >= LIMIT) this.totals.clear()
    if (Number(n) >= COUNT_CAP) this.totals.set(key, { total: Number(n), at: Date.now(), refreshing: false })
    return Number(n)
  }

  /** A row of this table has come or gone. */
  changed(table: string): void {
    for (const key of this.totals.keys()) if (key.startsWith(`${table} `)) this.totals.delete(key)
  }
}
