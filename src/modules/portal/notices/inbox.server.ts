import type { Area } from '#kernel/navigation.ts'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Condition } from '#server/data/query-values.ts'
import type { NotificationType } from '#server/engine/notification-type.ts'
import type { Engine } from '#server/engine/types.ts'
import { notice } from './notice.ts'
import { readNotificationSettings } from './settings.server.ts'

/** A notification as shown to its reader. */
export interface InboxEntry {
  readonly '@id': string
  readonly '@type': 'Notice'
  readonly id: number
  readonly kind: string
  readonly icon: string
  readonly words: string
  readonly path: string
  /** IRI of its record. */
  readonly about: string
  readonly since: string
  readonly read: boolean
  /** Nothing left to do. */
  readonly ended: boolean
}

/** Number of unread notifications, and of open tasks by area. */
export interface InboxSummary {
  readonly unread: number
  readonly waiting: Readonly<Partial<Record<Area, number>>>
  /** The same as text: "3 to sign, 1 to approve". */
  readonly waitsFor: Readonly<Partial<Record<Area, string>>>
}

/** Maximum notifications counted; screens show more than 99 as such. */
const COUNTED = 200
const PAGE = 30

type Row = RecordOf<typeof notice>

/** Notifications of a user, newest first, for records they may currently read. */
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
  const isOpen: Condition = {
    sql: (next) =>
      `(t.read_at IS NULL OR (t.ended_at IS NULL AND t.kind = ANY(${next(waits.map((k) => k.kind))}::text[])))`,
  }
  const rows = await listNotificationRows(engine, actor, [notificationTypeCondition(kinds), isOpen], {
    offset: 0,
    limit: COUNTED,
  })
  const seen = await findRecords(engine, actor, kinds, rows)
  const there = rows.filter((row) => seen.has(keyOf(row)))
  const waiting: Partial<Record<Area, number>> = {}
  const toDo = new Map<Area, Map<string, number>>()
  for (const { kind, waits: area, todo = 'waiting' } of waits) {
    const count = there.filter((row) => row.kind === kind && row.endedAt === null).length
    if (!area || !count) continue
    waiting[area] = (waiting[area] ?? 0) + count
    // Types with the same task share one count.
    const said = toDo.get(area) ?? new Map<string, number>()
    toDo.set(area, said.set(todo, (said.get(todo) ?? 0) + count))
  }
  const waitsFor = Object.fromEntries(
    [...toDo].map(([area, said]) => [area, [...said].map(([todo, count]) => `${count} ${todo}`).join(', ')]),
  )
  return { unread: there.filter((row) => row.readAt === null).length, waiting, waitsFor }
}

/** Renders rows for their reader; those with inaccessible records are left out. */
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

/** A user's own rows that match the conditions, newest first. */
export async function listNotificationRows(
  engine: Engine,
  actor: Actor,
  extra: readonly Condition[],
  page: { readonly offset: number; readonly limit: number },
): Promise<readonly Row[]> {
  return (await engine.list(notice, actor, {}, page, { count: false, extra })).members
}

export const notificationTypeCondition = (kinds: readonly NotificationType[]): Condition => ({
  sql: (next) => `t.kind = ANY(${next(kinds.map((k) => k.kind))}::text[])`,
})

const UNREAD: Condition = { sql: () => 't.read_at IS NULL' }

const kindsInBell = async (engine: Engine, actor: Actor) =>
  (await readNotificationSettings(engine, actor)).filter(({ bell }) => bell).map(({ kind }) => kind)

const keyOf = ({ kind, about }: Pick<Row, 'kind' | 'about'>) => `${kind} ${about}`

/** Records of the rows that their reader may read; one query per type. */
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
