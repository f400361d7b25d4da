import { type Actor, author } from '#kernel/roles.ts'
import { ConcurrencyLimiter, limiterKeyOf } from './concurrency-limiter.ts'

/** Requests of one person, and of one client, that wait for others of theirs. */
const WAITING = { person: 100, client: 400 }
/** Connections of the database that one client leaves to all others. */
const LEFT = 2

/** What is asked for, of an address. */
interface Asked {
  readonly method: string
  readonly upload?: boolean
  readonly bytes?: boolean
  readonly changes?: boolean
}

/**
 * How many requests of one person and of one client are under way at once in this process, by the database's connections, which
 * each of them may hold: a person has half of them to read and half to write, a client all but a few, and so have all those together
 * whom nobody knows. Uploads have turns of their own. What gives a file is making it for the most part, and holds no connection
 * meanwhile; an export, which leaves a trace, is reading.
 */
export class RequestLimits {
  private readonly reads: ConcurrencyLimiter
  private readonly writes: ConcurrencyLimiter
  private readonly clients: ConcurrencyLimiter
  constructor(pool: number) {
    const half = Math.max(2, Math.floor(pool / 2))
    this.reads = new ConcurrencyLimiter(half, WAITING.person)
    this.writes = new ConcurrencyLimiter(half, WAITING.person)
    this.clients = new ConcurrencyLimiter(Math.max(2, pool - LEFT), WAITING.client)
  }

  /** Does it, at once or after others; 429 with Retry-After where too many wait already. */
  run<T>(actor: Actor | undefined, { method, upload, bytes, changes }: Asked, work: () => Promise<T>): Promise<T> {
    if (upload) return work()
    if (!actor) return this.clients.run('nobody', work)
    const own = method === 'GET' ? this.reads : this.writes
    return bytes && !changes ? own.run(limiterKeyOf(actor), work) : this.runInBoth(own, actor, work)
  }

  /** In a person's share and then in their client's: one wait where there is none, since each request passes both. */
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
