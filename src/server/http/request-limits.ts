import { type Actor, author } from '#kernel/roles.ts'
import { ConcurrencyLimiter, limiterKeyOf } from '#server/concurrency-limiter.ts'

/** Waiting requests of one person, and of one client. */
const MAX_WAITING = { person: 100, client: 400 }
/** Database connections that one client leaves to all others. */
const RESERVED_CONNECTIONS = 2

interface RequestKind {
  readonly method: string
  readonly upload?: boolean
  readonly bytes?: boolean
  readonly changes?: boolean
}

/**
 * Limits the concurrent requests of one person and of one client in this process, by the database connections that each of them may hold: a
 * person has half of them to read and half to write, a client all but a few, and so have all anonymous requests together. Uploads have a
 * limit of their own. A file is mostly being made, without a connection; an export, which is audited, counts as reading.
 */
export class RequestLimits {
  private readonly reads: ConcurrencyLimiter
  private readonly writes: ConcurrencyLimiter
  private readonly clients: ConcurrencyLimiter
  constructor(pool: number) {
    const half = Math.max(2, Math.floor(pool / 2))
    this.reads = new ConcurrencyLimiter(half, MAX_WAITING.person)
    this.writes = new ConcurrencyLimiter(half, MAX_WAITING.person)
    this.clients = new ConcurrencyLimiter(Math.max(2, pool - RESERVED_CONNECTIONS), MAX_WAITING.client)
  }

  /** Runs the work, at once or after others. Throws 429 with Retry-After where too many wait already. */
  run<T>(
    actor: Actor | undefined,
    { method, upload, bytes, changes }: RequestKind,
    work: () => Promise<T>,
  ): Promise<T> {
    if (upload) return work()
    if (!actor) return this.clients.run('nobody', work)
    const own = method === 'GET' ? this.reads : this.writes
    return bytes && !changes ? own.run(limiterKeyOf(actor), work) : this.runInBoth(own, actor, work)
  }

  /** Within the person's limit and then their client's: it awaits only where it has to, since each request passes both. */
  private async runInBoth<T>(own: ConcurrencyLimiter, actor: Actor, work: () => Promise<T>): Promise<T> {
    const [person, client] = [limiterKeyOf(actor), String(author(actor).clientId)]
    const turn = own.take(person)
    if (turn) await turn
    try {
      const shared = this.clients.take(client)
      if (shared) await shared
      try {
        return await work()
      } finally {
        this.clients.leave(client)
      }
    } finally {
      own.leave(person)
    }
  }
}
