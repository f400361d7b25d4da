import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { type Actor, authorOf } from '#kernel/roles.ts'
import { networkForAddress } from '#server/auth/attempts.ts'
import { ConcurrencyLimiter, limiterKeyOf } from '#server/concurrency-limiter.ts'

/**
 * Limits the connections from one IP address that have not sent a request yet, because too many would block all other
 * users.
 */
export function limitConnectionsWithoutRequests(server: Server, most: number): void {
  const silent = new Map<string, number>()
  const leaving = new WeakMap<Socket, () => void>()
  server.on('connection', (socket: Socket) => {
    const from = networkForAddress(socket.remoteAddress ?? '')
    const before = silent.get(from) ?? 0
    if (before >= most) return socket.destroy()
    silent.set(from, before + 1)
    const leave = () => {
      if (!leaving.delete(socket)) return
      const left = (silent.get(from) ?? 1) - 1
      if (left > 0) silent.set(from, left)
      else silent.delete(from)
    }
    leaving.set(socket, leave)
    return socket.once('close', leave)
  })
  server.on('request', ({ socket }: IncomingMessage) => leaving.get(socket)?.())
}

/** Maximum number of waiting requests for one person and for one client. */
const MAX_WAITING = { person: 100, client: 400 }
/** Number of database connections that one client must leave to all others. */
const RESERVED_CONNECTIONS = 2

interface RequestKind {
  readonly method: string
  readonly upload?: boolean
  readonly takesOwnTurns?: boolean
  readonly bytes?: boolean
  readonly changes?: boolean
}

/**
 * Limits the concurrent requests of one person and of one client in this process, based on the database connections
 * available. A person may use half of the connections for reads and half for writes. A client may use all but a few,
 * and so may all anonymous requests together. Uploads have their own limit, and so do routes with `takesOwnTurns`.
 * Generating a file is not limited per client, because it mostly needs no connection. An export is treated as a read,
 * although it is audited.
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

  /**
   * Runs the task, either immediately or after other tasks. Throws 429 with Retry-After if too many tasks are waiting.
   */
  run<T>(
    actor: Actor | undefined,
    { method, upload, takesOwnTurns, bytes, changes }: RequestKind,
    work: () => Promise<T>,
  ): Promise<T> {
    if (upload || takesOwnTurns) return work()
    if (!actor) return this.clients.run('nobody', work)
    const own = method === 'GET' ? this.reads : this.writes
    return bytes && !changes ? own.run(limiterKeyOf(actor), work) : this.runInBoth(own, actor, work)
  }

  /**
   * Runs the task within both the person's and the client's limit. Awaits only if necessary, because every request
   * passes through here.
   */
  private async runInBoth<T>(own: ConcurrencyLimiter, actor: Actor, work: () => Promise<T>): Promise<T> {
    const [person, client] = [limiterKeyOf(actor), String(authorOf(actor).clientId)]
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
