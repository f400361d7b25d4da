import { PassThrough } from 'node:stream'
import { problem } from '#kernel/errors.ts'
import type { PortalArea } from '#kernel/packs.ts'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { QueryCondition } from '#server/data/values.ts'
import type { NotificationType } from '#server/engine/module.ts'
import type { Engine } from '#server/engine/types.ts'
import { notice } from './notice.ts'
import { readNotificationSettings } from './notify.server.ts'

/** A notification as returned to the user whom it notifies. */
export interface InboxEntry {
  readonly '@id': string
  readonly '@type': 'Notice'
  readonly id: number
  readonly kind: string
  readonly icon: string
  readonly words: string
  readonly path: string
  /** IRI of the record that the notification is about. */
  readonly about: string
  readonly since: string
  readonly read: boolean
  /** True if the user has nothing left to do. */
  readonly ended: boolean
}

/** Number of unread notifications, and number of open tasks by area. */
interface InboxSummary {
  readonly unread: number
  readonly waiting: Readonly<Partial<Record<PortalArea, number>>>
  /** Open tasks as text, by area, for example "3 to sign, 1 to approve". */
  readonly waitsFor: Readonly<Partial<Record<PortalArea, string>>>
}

/** Maximum number of notifications counted; screens show at most "99+". */
const COUNTED = 200
const PAGE = 30

type Row = RecordOf<typeof notice>

/** Reads a user's notifications, newest first. Includes only those about records that the user may currently read. */
export async function readInbox(
  engine: Engine,
  actor: Actor,
  { unread = false, page = 1 }: { unread?: boolean; page?: number },
): Promise<{ entries: InboxEntry[]; more: boolean }> {
  const kinds = await kindsInBell(engine, actor)
  const rows = await listNotificationRows(
    engine,
    actor,
    [notificationTypeCondition(kinds), ...(unread ? [UNREAD] : [])],
    {
      offset: (page - 1) * PAGE,
      limit: PAGE + 1,
    },
  )
  return { entries: await renderInboxEntries(engine, actor, kinds, rows.slice(0, PAGE)), more: rows.length > PAGE }
}

export async function readInboxSummary(engine: Engine, actor: Actor): Promise<InboxSummary> {
  const kinds = await kindsInBell(engine, actor)
  const waits = kinds.filter((kind) => kind.waits)
  const isOpen: QueryCondition = {
    sql: (next) =>
      `(t.read_at IS NULL OR (t.ended_at IS NULL AND t.kind = ANY(${next(waits.map((k) => k.kind))}::text[])))`,
  }
  const rows = await listNotificationRows(engine, actor, [notificationTypeCondition(kinds), isOpen], {
    offset: 0,
    limit: COUNTED,
  })
  const seen = await findRecords(engine, actor, kinds, rows)
  const there = rows.filter((row) => seen.has(keyOf(row)))
  const waiting: Partial<Record<PortalArea, number>> = {}
  const toDo = new Map<PortalArea, Map<string, number>>()
  for (const { kind, waits: area, todo = 'waiting' } of waits) {
    const count = there.filter((row) => row.kind === kind && row.endedAt === null).length
    if (!area || !count) continue
    waiting[area] = (waiting[area] ?? 0) + count
    // Notification types with the same task share one count.
    const said = toDo.get(area) ?? new Map<string, number>()
    toDo.set(area, said.set(todo, (said.get(todo) ?? 0) + count))
  }
  const waitsFor = Object.fromEntries(
    [...toDo].map(([area, said]) => [area, [...said].map(([todo, count]) => `${count} ${todo}`).join(', ')]),
  )
  return { unread: there.filter((row) => row.readAt === null).length, waiting, waitsFor }
}

/** Renders notifications for their recipient. Omits those about records that the recipient may not read. */
export async function renderInboxEntries(
  engine: Engine,
  actor: Actor,
  kinds: readonly NotificationType[],
  rows: readonly Row[],
): Promise<InboxEntry[]> {
  const records = await findRecords(engine, actor, kinds, rows)
  return rows.flatMap((row) => {
    const [kind, record] = [kinds.find((one) => one.kind === row.kind), records.get(keyOf(row))]
    if (!kind || !record) return []
    return {
      '@id': iriOf(notice, row.id),
      '@type': 'Notice' as const,
      id: row.id,
      kind: row.kind as string,
      icon: kind.icon,
      words: kind.words(record),
      path: kind.path(record, engine, actor),
      about: iriOf(kind.of, row.about as number),
      since: row.since as string,
      read: row.readAt !== null,
      ended: row.endedAt !== null,
    }
  })
}

/** Lists the user's own rows that match the conditions, newest first. */
export async function listNotificationRows(
  engine: Engine,
  actor: Actor,
  extra: readonly QueryCondition[],
  page: { readonly offset: number; readonly limit: number },
): Promise<readonly Row[]> {
  return (await engine.list(notice, actor, {}, page, { count: false, extra })).members
}

export const notificationTypeCondition = (kinds: readonly NotificationType[]): QueryCondition => ({
  sql: (next) => `t.kind = ANY(${next(kinds.map((k) => k.kind))}::text[])`,
})

const UNREAD: QueryCondition = { sql: () => 't.read_at IS NULL' }

const kindsInBell = async (engine: Engine, actor: Actor) =>
  (await readNotificationSettings(engine, actor)).filter(({ bell }) => bell).map(({ kind }) => kind)

const keyOf = ({ kind, about }: Pick<Row, 'kind' | 'about'>) => `${kind} ${about}`

/** Finds the records that the rows are about and the recipient may read, with one query per notification type. */
async function findRecords(
  engine: Engine,
  actor: Actor,
  kinds: readonly NotificationType[],
  rows: readonly Row[],
): Promise<ReadonlyMap<string, RecordOf<NotificationType['of']>>> {
  const found = new Map<string, RecordOf<NotificationType['of']>>()
  for (const kind of kinds) {
    const ids = rows.filter((row) => row.kind === kind.kind).map((row) => String(row.about))
    if (!ids.length) continue
    const { members } = await engine.list(
      kind.of,
      actor,
      { id: ids },
      { offset: 0, limit: ids.length },
      { count: false },
    )
    for (const record of members) found.set(keyOf({ kind: kind.kind, about: record.id }), record)
  }
  return found
}

/**
 * Maximum number of open streams per process. If a user exceeds the limit, the user's oldest stream is closed. If a
 * client's limit or the total is exceeded, new streams are refused.
 */
const MAX_STREAMS = { person: 8, client: 300, all: 1000 }
/** Milliseconds between heartbeats. Without heartbeats, proxies close connections that are silent for a minute. */
const ALIVE_MS = 25_000
/** Number of heartbeats between complete checks for missed changes and ended sessions. */
const LOOK_EACH = 3
/** Maximum number of bytes buffered for a client that reads slowly. */
const UNREAD_BYTES = 64 * 1024

interface Stream {
  readonly person: string
  readonly clientId: number
  readonly token: string
  readonly out: PassThrough
  told: string
}

const personOf = ({ clientId, userId }: Pick<Actor, 'clientId' | 'userId'>) => `${clientId} ${userId}`

/** Event streams of one process. They send new counts to connected users immediately. */
class Live {
  private readonly engine: Engine
  private readonly streams = new Set<Stream>()
  /** Changed records that have not been announced yet, by client. */
  private readonly told = new Map<number, Set<string>>()
  /** Users whose counts have changed, processed one after the other. */
  private readonly changed = new Set<string>()
  private isLooking = false
  private isClosed = false
  private listening: (() => void) | undefined
  private isListening = false
  private beat: NodeJS.Timeout | undefined
  private beats = 0

  constructor(engine: Engine) {
    this.engine = engine
    engine.onClose.push(() => this.close())
  }

  /** Opens a stream for a user with the user's token. Throws 429 if too many streams are open. */
  open(actor: Actor, token: string): PassThrough {
    const person = personOf(actor)
    const own = [...this.streams].filter((s) => s.person === person)
    if (own.length >= MAX_STREAMS.person) own[0]?.out.end()
    const ofClient = [...this.streams].filter((s) => s.clientId === actor.clientId)
    if (this.isClosed || this.streams.size >= MAX_STREAMS.all || ofClient.length >= MAX_STREAMS.client)
      throw problem.busy()
    const stream: Stream = { person, clientId: actor.clientId, token, out: new PassThrough(), told: '' }
    this.streams.add(stream)
    stream.out.once('close', () => this.leave(stream))
    stream.out.on('error', () => {})
    // Sends the first bytes immediately, because that also sends the response headers.
    stream.out.write(': welcome\n\n')
    this.begin()
    // The first summary follows once this process listens, so that no later change is missed.
    if (this.isListening) this.look([person])
    return stream.out
  }

  /** Closes all streams. Clients then reconnect to another process, or to the process that replaces this one. */
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
      () => {
        this.isListening = true
        this.look(this.people())
      },
    )
    this.beat ??= setInterval(() => this.showLife(), ALIVE_MS).unref()
  }

  /** Stops polling and listening to the database. Called when nobody is connected any more. */
  private rest(): void {
    this.listening?.()
    clearInterval(this.beat)
    this.listening = undefined
    this.isListening = false
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

  /**
   * Handles a message from the database. "client user" means that the user's notifications changed. "client type id"
   * means that a record changed; this message is passed on to the client's users who have the record open.
   */
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
      // Ignores a brief database failure, because the next check sends the missed changes.
      await this.tell(own).catch(() => {})
    }
    for (const [clientId, records] of this.told) {
      this.told.delete(clientId)
      const own = [...this.streams].filter((s) => s.clientId === clientId)
      for (const stream of own)
        if (await this.listenerOf(stream).catch(() => false)) stream.out.write([...records].join(''))
    }
  }

  /** Sends the current summary to all streams of one user. */
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

  /**
   * Returns the user of a stream. If the token is no longer valid for this user, or the user has started an
   * impersonation, ends the stream with an `over` event and returns undefined.
   */
  private async listenerOf(stream: Stream): Promise<Actor | undefined> {
    const actor = await this.engine.sessions.look(stream.token)
    if (actor && !actor.original && personOf(actor) === stream.person) return actor
    stream.out.end('event: over\ndata: {}\n\n')
    return undefined
  }
}

const lives = new WeakMap<Engine, Live>()

export function getEventStreams(engine: Engine): Live {
  const live = lives.get(engine) ?? new Live(engine)
  lives.set(engine, live)
  return live
}
