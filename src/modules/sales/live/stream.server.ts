import { PassThrough } from 'node:stream'
import { problem } from '#kernel/errors.ts'
import { type Actor, hasRole, type Roles } from '#kernel/roles.ts'
import type { Engine } from '#server/engine/types.ts'

export const EVENT_STREAM_TYPE = 'text/event-stream'

/** Figures streamed as they change, identical for all permitted users of a client. */
export interface LiveFigures {
  readonly url: string
  readonly allow: Roles
  readonly read: (engine: Engine, actor: Actor) => Promise<object>
}

/** Maximum open streams of a process; of a person, the oldest is closed. */
const MOST = { person: 6, all: 500 }
/** Milliseconds between reads of the figures: once per client and board, whatever the number of viewers. */
const LOOK_MS = 2000
/** Reads between heartbeats: proxies close connections that are silent for a minute. */
const ALIVE_EACH = 12
/** Maximum bytes buffered for a slow reader. */
const UNREAD_BYTES = 64 * 1024

interface Stream {
  readonly board: LiveFigures
  readonly actor: Actor
  readonly token: string
  readonly out: PassThrough
  told: string
}

const isSame = (a: Actor, b: Actor) => a.clientId === b.clientId && a.userId === b.userId

/** Streams of one process. Nothing is read while there are no viewers. */
class Streams {
  private readonly engine: Engine
  private readonly streams = new Set<Stream>()
  private timer: NodeJS.Timeout | undefined
  private looks = 0
  private isClosed = false

  constructor(engine: Engine) {
    this.engine = engine
    engine.onClose.push(() => this.close())
  }

  /** Opens a stream for a user, with their token. Throws 429 if there are too many. */
  open(board: LiveFigures, actor: Actor, token: string): PassThrough {
    const own = [...this.streams].filter((s) => isSame(s.actor, actor))
    if (own.length >= MOST.person) own[0]?.out.end()
    if (this.isClosed || this.streams.size >= MOST.all) throw problem.busy()
    const stream: Stream = { board, actor, token, out: new PassThrough(), told: '' }
    this.streams.add(stream)
    stream.out.once('close', () => this.streams.delete(stream))
    stream.out.on('error', () => {})
    // Headers are sent with the first bytes.
    stream.out.write(': welcome\n\n')
    this.timer ??= setTimeout(() => void this.look(), 0).unref()
    return stream.out
  }

  private close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
    for (const { out } of this.streams) out.end()
    this.streams.clear()
  }

  private async look(): Promise<void> {
    this.looks++
    const groups = Map.groupBy(this.streams, (s) => `${s.board.url} ${s.actor.clientId}`)
    // If the database is briefly unavailable, the next read catches up.
    for (const group of groups.values()) await this.tell(group).catch(() => {})
    if (this.looks % ALIVE_EACH === 0)
      for (const { out } of this.streams) {
        if (out.writableLength > UNREAD_BYTES) out.destroy()
        else out.write(': here\n\n')
      }
    this.timer = this.isClosed || !this.streams.size ? undefined : setTimeout(() => void this.look(), LOOK_MS).unref()
  }

  /** Sends the current figures to viewers of one client and board, if they have changed. */
  private async tell(group: readonly Stream[]): Promise<void> {
    const [first] = group
    if (!first) return
    const news = `event: figures\ndata: ${JSON.stringify(await first.board.read(this.engine, first.actor))}\n\n`
    for (const stream of group) {
      if (stream.told === news) continue
      // Ends streams of users who have signed out or lost the role.
      const actor = await this.engine.sessions.look(stream.token)
      if (!actor || !isSame(actor, stream.actor) || !hasRole(actor, stream.board.allow)) {
        stream.out.end('event: over\ndata: {}\n\n')
        continue
      }
      stream.told = news
      stream.out.write(news)
    }
  }
}

const streams = new WeakMap<Engine, Streams>()

/** Streams of an engine. */
export function figureStreamsOf(engine: Engine): Streams {
  const known = streams.get(engine) ?? new Streams(engine)
  streams.set(engine, known)
  return known
}
