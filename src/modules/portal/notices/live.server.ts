import { PassThrough } from 'node:stream'
import { problem } from '#kernel/errors.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Engine } from '#server/engine/types.ts'
import { readInboxSummary } from './inbox.server.ts'

/**
 * Maximum open streams of a process: per person, beyond which the oldest is closed; per client and in total, beyond
 * which new ones are refused.
 */
const MOST = { person: 8, client: 300, all: 1000 }
/** Milliseconds between heartbeats: proxies close connections that are silent for a minute. */
const ALIVE_MS = 25_000
/** Heartbeats between full checks for missed changes and ended sessions. */
const LOOK_EACH = 3
/** Maximum bytes buffered for a slow reader. */
const UNREAD_BYTES = 64 * 1024

interface Stream {
  readonly person: string
  readonly clientId: number
  readonly token: string
  readonly out: PassThrough
  told: string
}

const personOf = ({ clientId, userId }: Pick<Actor, 'clientId' | 'userId'>) => `${clientId} ${userId}`

/** Event streams of one process: connected users are notified of new counts immediately. */
class Live {
  private readonly engine: Engine
  private readonly streams = new Set<Stream>()
  /** Changed records to announce, by client. */
  private readonly told = new Map<number, Set<string>>()
  /** Users whose counts have changed, processed one at a time in order. */
  private readonly changed = new Set<string>()
  private isLooking = false
  private isClosed = false
  private listening: (() => void) | undefined
  private beat: NodeJS.Timeout | undefined
  private beats = 0

  constructor(engine: Engine) {
    this.engine = engine
    engine.onClose.push(() => this.close())
  }

  /** Opens a stream for a user, with their token. Throws 429 if there are too many. */
  open(actor: Actor, token: string): PassThrough {
    const person = personOf(actor)
    const own = [...this.streams].filter((s) => s.person === person)
    if (own.length >= MOST.person) own[0]?.out.end()
    const ofClient = [...this.streams].filter((s) => s.clientId === actor.clientId)
    if (this.isClosed || this.streams.size >= MOST.all || ofClient.length >= MOST.client) throw problem.busy()
    const stream: Stream = { person, clientId: actor.clientId, token, out: new PassThrough(), told: '' }
    this.streams.add(stream)
    stream.out.once('close', () => this.leave(stream))
    stream.out.on('error', () => {})
    // Headers are sent with the first bytes.
    stream.out.write(': welcome\n\n')
    this.begin()
    this.look([person])
    return stream.out
  }

  /** Closes all streams; their clients reconnect to another process or to the successor of this one. */
  private close(): void {
    this.isClosed = true
    for (const { out } of this.streams) out.end()
    this.streams.clear()
    this.rest()
  }

  private begin(): void {
    this.listening ??= this.engine.db.listen(
      'notice',
      (told) => this.hear(told),
      () => this.look(this.people()),
    )
    this.beat ??= setInterval(() => this.showLife(), ALIVE_MS).unref()
  }

  /** Stops listening and polling while nobody is connected. */
  private rest(): void {
    this.listening?.()
    clearInterval(this.beat)
    this.listening = undefined
    this.beat = undefined
  }

  private leave(stream: Stream): void {
    this.streams.delete(stream)
    if (!this.streams.size) this.rest()
  }

  private showLife(): void {
    for (const { out } of this.streams) {
      if (out.writableLength > UNREAD_BYTES) out.destroy()
      else out.write(': here\n\n')
    }
    if (++this.beats % LOOK_EACH === 0) this.look(this.people())
  }

  private readonly people = () => [...this.streams].map((s) => s.person)

  /** "client user": a user's notifications; "client type id": a record, for users of the client who have it open. */
  private hear(told: string): void {
    const [clientId, what, id] = told.split(' ')
    if (id !== undefined) {
      const records = this.told.get(Number(clientId)) ?? new Set()
      records.add(`event: changed\ndata: ${JSON.stringify({ what, id: Number(id) })}\n\n`)
      this.told.set(Number(clientId), records)
    }
    this.look(id === undefined ? [told] : [])
  }

  private look(people: readonly string[]): void {
    const connected = new Set(this.people())
    for (const person of people) if (connected.has(person)) this.changed.add(person)
    if (this.isLooking) return
    this.isLooking = true
    void this.lookAtChanged().finally(() => {
      this.isLooking = false
      if (this.changed.size || this.told.size) this.look([])
    })
  }

  private async lookAtChanged(): Promise<void> {
    for (const person of this.changed) {
      this.changed.delete(person)
      const own = [...this.streams].filter((s) => s.person === person)
      // If the database is briefly unavailable, the next check catches up.
      await this.tell(own).catch(() => {})
    }
    for (const [clientId, records] of this.told) {
      this.told.delete(clientId)
      const own = [...this.streams].filter((s) => s.clientId === clientId)
      for (const stream of own)
        if (await this.listenerOf(stream).catch(() => false)) stream.out.write([...records].join(''))
    }
  }

  /** Sends the current summary to a user's streams. */
  private async tell(own: readonly Stream[]): Promise<void> {
    let news: string | undefined
    for (const stream of own) {
      const actor = await this.listenerOf(stream)
      if (!actor) continue
      news ??= `event: summary\ndata: ${JSON.stringify(await readInboxSummary(this.engine, actor))}\n\n`
      if (news === stream.told) continue
      stream.told = news
      stream.out.write(news)
    }
  }

  /** Reader of a stream; a stream with an expired token is ended with an event. */
  private async listenerOf(stream: Stream): Promise<Actor | undefined> {
    const actor = await this.engine.sessions.look(stream.token)
    if (actor && !actor.original && personOf(actor) === stream.person) return actor
    stream.out.end('event: over\ndata: {}\n\n')
    return undefined
  }
}

const lives = new WeakMap<Engine, Live>()

/** Event streams of an engine. */
export function eventStreamsOf(engine: Engine): Live {
  const live = lives.get(engine) ?? new Live(engine)
  lives.set(engine, live)
  return live
}
