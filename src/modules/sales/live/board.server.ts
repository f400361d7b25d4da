import { PassThrough } from 'node:stream'
import { problem } from '#kernel/errors.ts'
import { iriOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { hasRole, type Roles } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { callOutcome } from '#modules/crm/outcomes/outcome.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { countedSale } from '../counted/counted-sale.ts'
import { type ActivityTotal, readActivityTotals } from '../figures/figures.server.ts'
import { SEE_ALL_SALES_ROLES, SELLER_ROLE } from '../rights.ts'
import { BINGO_BOARD_URL, type BingoBoard, LIVE_FIGURES_URL, type LiveBoard, type SalesActivity } from './board.ts'
import { BINGO_SQUARES } from './squares.ts'

const EVENT_STREAM_TYPE = 'text/event-stream'

/** Figures that are streamed whenever they change. All users of a client who may see them receive the same figures. */
interface LiveFigures {
  readonly url: string
  readonly allow: Roles
  readonly read: (engine: Engine, actor: Actor) => Promise<object>
}

/**
 * Maximum number of open streams in one process: per person, and in total. A new stream above the limit per person
 * closes the person's oldest stream.
 */
const MAX_STREAMS = { person: 6, all: 500 }
/** Milliseconds between reads of the figures. They are read once per client and board, for all viewers. */
const LOOK_MS = 2000
/**
 * Number of reads between heartbeats, which are needed because proxies close connections that are silent for a minute.
 */
const ALIVE_EACH = 12
/** Maximum number of bytes buffered for a client that reads slowly. */
const UNREAD_BYTES = 64 * 1024

interface Stream {
  readonly board: LiveFigures
  readonly actor: Actor
  readonly token: string
  readonly out: PassThrough
  told: string
}

const isSame = (a: Actor, b: Actor) => a.clientId === b.clientId && a.userId === b.userId

/** Streams of one process. The figures are not read while nobody is connected. */
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

  /** Opens a stream for a user with the user's token. Throws 429 if too many streams are open. */
  open(board: LiveFigures, actor: Actor, token: string): PassThrough {
    const own = [...this.streams].filter((s) => isSame(s.actor, actor))
    if (own.length >= MAX_STREAMS.person) own[0]?.out.end()
    if (this.isClosed || this.streams.size >= MAX_STREAMS.all) throw problem.busy()
    const stream: Stream = { board, actor, token, out: new PassThrough(), told: '' }
    this.streams.add(stream)
    stream.out.once('close', () => this.streams.delete(stream))
    stream.out.on('error', () => {})
    // Sends the first bytes immediately, because that also sends the response headers.
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
    // Ignores a brief database failure, because the next read sends the missed changes.
    for (const group of groups.values()) await this.tell(group).catch(() => {})
    if (this.looks % ALIVE_EACH === 0)
      for (const { out } of this.streams) {
        if (out.writableLength > UNREAD_BYTES) out.destroy()
        else out.write(': here\n\n')
      }
    this.timer = this.isClosed || !this.streams.size ? undefined : setTimeout(() => void this.look(), LOOK_MS).unref()
  }

  /** Sends the current figures to the viewers of one client's board, if the figures have changed. */
  private async tell(group: readonly Stream[]): Promise<void> {
    const [first] = group
    if (!first) return
    const news = `event: figures\ndata: ${JSON.stringify(await first.board.read(this.engine, first.actor))}\n\n`
    for (const stream of group) {
      if (stream.told === news) continue
      // Ends the stream if its user has signed out or lost the required role.
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

function figureStreamsOf(engine: Engine): Streams {
  const known = streams.get(engine) ?? new Streams(engine)
  streams.set(engine, known)
  return known
}

const BOARD_REASON = "show the day's figures to sellers"

interface Floor {
  readonly day: Temporal.PlainDate
  readonly people: readonly {
    readonly id: number
    readonly name: string
    readonly user: number | null
    readonly callsPerDay: number
  }[]
  readonly today: ReadonlyMap<number, readonly ActivityTotal[]>
  readonly month: ReadonlyMap<number, readonly ActivityTotal[]>
  /**
   * Effects of call outcomes, by outcome ID: whether the outcome moves the sale forward, and the list to which it moves
   * the lead.
   */
  readonly outcomes: ReadonlyMap<string, { readonly meaning: string; readonly category: string }>
}

/** Reads the totals for today and this month, by person. */
async function readFloor(engine: Engine, { clientId }: Actor): Promise<Floor> {
  const day = londonDate(engine.clock.now())
  const first = day.with({ day: 1 })
  const span = (from: Temporal.PlainDate, to: Temporal.PlainDate) => ({ from: from.toString(), to: to.toString() })
  const [today, month] = await engine.db.tx({ clientId }, async (tx) => [
    await readActivityTotals(tx, clientId, 'day', span(day, day), undefined),
    await readActivityTotals(
      tx,
      clientId,
      'month',
      span(first, first.add({ months: 1 }).subtract({ days: 1 })),
      undefined,
    ),
  ])
  const [people, outcomes] = await engine.readIn(clientId, BOARD_REASON, async (r) => [
    await r.find(staff, { tray: false, retired: false }),
    await r.find(callOutcome, {}),
  ])
  const byPerson = (work: readonly ActivityTotal[] | undefined) => Map.groupBy(work ?? [], (w) => w.person)
  return {
    day,
    people: people.toSorted((a, b) => a.name.localeCompare(b.name, 'en-GB')),
    today: byPerson(today),
    month: byPerson(month),
    outcomes: new Map(outcomes.map(({ id, meaning, category }) => [String(id), { meaning, category }])),
  }
}

function doneOf(work: readonly ActivityTotal[] = [], { outcomes }: Floor): SalesActivity {
  const add = (which: (w: ActivityTotal) => boolean, of: (w: ActivityTotal) => number) =>
    work.reduce((n, w) => (which(w) ? n + of(w) : n), 0)
  const isCall = ({ what }: ActivityTotal) => what === 'call'
  const isSale = ({ what }: ActivityTotal) => what === 'sale'
  return {
    calls: add(isCall, (w) => w.count),
    forward: add(
      (w) => isCall(w) && outcomes.get(w.kind)?.meaning === 'forward',
      (w) => w.count,
    ),
    sales: add(isSale, (w) => w.count),
    amount: add(
      (w) => isSale(w) && w.kind === 'GBP',
      (w) => w.amount,
    ),
  }
}

const liveBoard: LiveFigures = {
  url: LIVE_FIGURES_URL,
  allow: SEE_ALL_SALES_ROLES,
  read: async (engine, actor): Promise<LiveBoard> => {
    const floor = await readFloor(engine, actor)
    const now = engine.clock.now().round({ smallestUnit: 'minute', roundingMode: 'floor' })
    const figures = await engine.figures(actor, [
      { name: 'callbacks', of: contact, where: { retired: 'false', 'callbackDate[before]': now.toString() } },
      { name: 'checks', of: countedSale, where: { retired: 'false', state: 'waiting' } },
    ])
    const waits = (name: string) => figures.find((f) => f.series === name)?.count ?? 0
    return {
      '@id': LIVE_FIGURES_URL,
      day: floor.day.toString(),
      people: floor.people.map(({ id, name, user, callsPerDay }) => ({
        '@id': iriOf(staff, id),
        id,
        name,
        user,
        callsPerDay,
        today: doneOf(floor.today.get(id), floor),
        month: doneOf(floor.month.get(id), floor),
      })),
      waiting: { callbacks: waits('callbacks'), checks: waits('checks') },
    }
  },
}

const bingoBoard: LiveFigures = {
  url: BINGO_BOARD_URL,
  allow: SELLER_ROLE,
  read: async (engine, actor): Promise<BingoBoard> => {
    const floor = await readFloor(engine, actor)
    return {
      '@id': BINGO_BOARD_URL,
      day: floor.day.toString(),
      cards: floor.people.map(({ id, name, user, callsPerDay }) => {
        const work = floor.today.get(id) ?? []
        const lists = new Map<string, number>()
        for (const w of work) {
          const list = w.what === 'call' ? floor.outcomes.get(w.kind)?.category : undefined
          if (list) lists.set(list, (lists.get(list) ?? 0) + w.count)
        }
        const tally = { ...doneOf(work, floor), meant: callsPerDay, lists }
        const filled = BINGO_SQUARES.flatMap(({ key, isFilled }) => (isFilled(tally) ? [key] : []))
        return { '@id': iriOf(staff, id), id, name, user, filled }
      }),
    }
  },
}

const route = (board: LiveFigures, title: string): Route => ({
  method: 'GET',
  path: board.url,
  title: `${title}; as ${EVENT_STREAM_TYPE}, also sent after each change`,
  allow: board.allow,
  file: [EVENT_STREAM_TYPE],
  refuses: [429],
  handle: async ({ engine, me, request }) => {
    if (!String(request.headers.accept ?? '').includes(EVENT_STREAM_TYPE)) return { ...(await board.read(engine, me)) }
    return new RouteResponse(200, figureStreamsOf(engine).open(board, me, request.token as string), {
      'content-type': EVENT_STREAM_TYPE,
      'cache-control': 'no-store, no-transform',
      // Stops proxies from buffering the stream.
      'x-accel-buffering': 'no',
    })
  },
})

const liveSalesRoutes: readonly Route[] = [
  route(liveBoard, 'Get today’s and this month’s calls and sales by person, with open tasks'),
  route(bingoBoard, 'Get everybody’s bingo card for the day'),
]

export const liveFiguresFeature = feature({
  routes: liveSalesRoutes,
})
