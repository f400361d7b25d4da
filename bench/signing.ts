import type { Actor } from '#kernel/roles.ts'
import { signature } from '#modules/documents/types/document.ts'
import { saveAttendanceSignature } from '#modules/safety/talks/attendance.server.ts'
import { talkAttendee } from '#modules/safety/talks/toolbox-talk.ts'
import type { Db, PreparedSql, SqlConn } from '#server/db/db.ts'
import { readWrittenRecord } from '#server/engine/reads.ts'
import type { Engine } from '#server/engine/types.ts'
import { medianTime } from './times.ts'

/** Number of untimed rounds, during which the server and the database compile frequently run code. */
const WARM = 500
const TIMED = 1000
const PEOPLE = WARM + TIMED

/**
 * Number of statements, and of round trips to the database. Statements that are sent without waiting for each other
 * make one round trip.
 */
export interface StatementCounts {
  statements: number
  journeys: number
}

/** Wraps the database and counts in `sent` everything that is sent to it. */
export function createStatementCountingDb(db: Db, sent: StatementCounts): Db {
  let owed = 0
  const count = async <T>(statements: number, ask: () => Promise<T>): Promise<T> => {
    sent.statements += statements
    if (owed++ === 0) sent.journeys++
    try {
      return await ask()
    } finally {
      owed--
    }
  }
  const counted = <C extends SqlConn>(conn: C): C => ({
    ...conn,
    rows: (text: string, values?: readonly unknown[]) => count(1, () => conn.rows(text, values)),
    arrays: (query: PreparedSql, values: readonly unknown[]) => count(1, () => conn.arrays(query, values)),
  })
  return {
    ...db,
    read: counted(db.read),
    tx: (as, work) =>
      db.tx(as, async (tx) => {
        let isCommitted = false
        const done = await work({
          ...counted(tx),
          commitWith: (query, values) => {
            isCommitted = true
            return count(1, () => tx.commitWith(query, values))
          },
        })
        if (!isCommitted) sent.journeys++
        return done
      }),
  }
}

const SQL = {
  people: `INSERT INTO user_account (client_id, username, name) SELECT $1, 'signer' || i, 'Signer ' || i FROM generate_series(1, ${PEOPLE}) i RETURNING id, username, name`,
  talk: `INSERT INTO document (client_id, kind, number, title, state, complete, approved, current, content, seal) VALUES ($1, 'toolbox_talk', $2, 'Ladders', 'current', true, true, true, '{}', 'x') RETURNING id`,
  record: `INSERT INTO talk_presented (client_id, talk_id, title, presenter, date) VALUES ($1, $2, 'Ladders', 'Ada', '2026-01-01') RETURNING id`,
  attendees:
    "INSERT INTO talk_attendee (client_id, presented_id, position, name, visitor) SELECT $1, $2, i, 'Visitor ' || i, true FROM generate_series(1, 12) i RETURNING id",
  typed:
    "INSERT INTO signature (client_id, document_id, place, name, method) VALUES ($1, $2, $3, 'Bare', 'typed') RETURNING *",
  drawn:
    "INSERT INTO signature (client_id, document_id, place, name, method, user_id, signer_id, mine, strokes) VALUES ($1, $2, $3, 'Bare', 'finger', $4, $4, true, $5) RETURNING *",
}

interface Signer {
  readonly id: number
  readonly username: string
  readonly name: string
}

/** A row of the results: one way to save something, and its cost. */
interface Row {
  readonly what: string
  readonly save: (n: number) => Promise<unknown>
  readonly took: number[]
  readonly sent: StatementCounts
}

/**
 * Measures the cost of saving a signature on a document, and of a visitor's and a user's own signature on an attendance
 * record. Compares it with a bare insert in its own transaction, and with a bare insert that includes the drawing and
 * the user account. Alternates the measurements, so that the load of the machine affects all of them. Prints
 * milliseconds, statements and round trips.
 */
export async function measureSigning(db: Db, sent: StatementCounts, engine: Engine, clientId: number): Promise<void> {
  const as = { clientId }
  const sql = <T>(text: string, ...values: unknown[]) =>
    db.tx('system', (tx) => tx.rows<T>(text, [clientId, ...values]))
  const people = await sql<Signer>(SQL.people)
  const idOf = async (text: string, ...values: unknown[]) => (await sql<{ id: number }>(text, ...values))[0]?.id ?? 0
  const [talk, other] = [await idOf(SQL.talk, 'TT-1'), await idOf(SQL.talk, 'TT-2')]
  const records: { id: number; rows: readonly { id: number }[] }[] = []
  for (let n = 0; n < PEOPLE / 10; n++) {
    const id = await idOf(SQL.record, talk)
    records.push({ id, rows: await sql<{ id: number }>(SQL.attendees, id) })
  }
  await db.tx('owner', (tx) => tx.script('ANALYZE user_account; ANALYZE talk_presented; ANALYZE talk_attendee'))
  const actorOf = (n: number): Actor => {
    const { id, username, name } = people[n] as Signer
    const packs = { safety: 'active' } as const
    return { userId: id, clientId, username, name, roles: ['ROLE_EMPLOYEE'], scopes: [], packs }
  }
  const drawn = { width: 300, height: 100, strokes: Array.from({ length: 4 }, () => scrawl()) }
  const insert = (text: string, ...values: unknown[]) => db.tx(as, (tx) => tx.rows(text, [clientId, other, ...values]))
  const sign = (actor: Actor, id: number, row: number | null) =>
    engine.inTenant(clientId, { actor, requestId: 'bench' }, async (c) => {
      const given = { attendee: row, name: '', method: 'finger' as const, strokes: drawn, visitor: false }
      const written = await saveAttendanceSignature(c, id, given)
      // As in the route: returning the drawing that the request contained is not a read.
      return () => readWrittenRecord(engine, talkAttendee, actor, written, { strokes: drawn })
    })
  const signDocument = (n: number) =>
    engine.create(
      signature,
      { document: `/api/safety/documents/${talk}`, method: 'finger', strokes: drawn },
      { actor: actorOf(n), requestId: 'bench' },
    )
  const record = (n: number) => records[Math.floor(n / 10)]
  const rows = [
    row('plain INSERT of a typed signature without an account', (n) => insert(SQL.typed, 2 * n + 1)),
    row('plain INSERT of a drawn signature with an account', (n) =>
      insert(SQL.drawn, 2 * n + 2, people[n]?.id, JSON.stringify(drawn)),
    ),
    row('signature on a document', signDocument),
    row('a visitor’s signature on an attendance record', (n) =>
      sign(actorOf(0), record(n)?.id ?? 0, record(n)?.rows[n % 10]?.id ?? 0),
    ),
    row('a person’s own signature on an attendance record', (n) => sign(actorOf(n), record(n)?.id ?? 0, null)),
  ]
  for (let n = 0; n < PEOPLE; n++) {
    for (const one of rows) {
      Object.assign(sent, { statements: 0, journeys: 0 })
      const began = performance.now()
      await one.save(n)
      if (n < WARM) continue
      one.took.push(performance.now() - began)
      one.sent.statements += sent.statements
      one.sent.journeys += sent.journeys
    }
  }
  tell(rows)
}

const row = (what: string, save: Row['save']): Row => ({ what, save, took: [], sent: { statements: 0, journeys: 0 } })

function tell(rows: readonly Row[]): void {
  console.log(
    '\n| saving | median, ms | statements | round trips | ÷ plain INSERT | goal | ÷ plain INSERT, drawn |\n|---|---|---|---|---|---|---|',
  )
  const middles = rows.map(({ took }) => medianTime(took))
  const [bare = 1, same = 1] = middles
  for (const [i, { what, took, sent }] of rows.entries()) {
    const ms = middles[i] ?? 0
    const each = (n: number) => (n / took.length).toFixed(1)
    const beside =
      i === 0
        ? ' |  | '
        : `**${(ms / bare).toFixed(1)}** | ${i > 1 ? '≤ 2' : ''} | ${i > 1 ? (ms / same).toFixed(1) : ''}`
    console.log(`| ${what} | ${ms.toFixed(2)} | ${each(sent.statements)} | ${each(sent.journeys)} | ${beside} |`)
  }
}

/** Creates a stroke as the signature pad sends it, with coordinates rounded to a ten-thousandth of the pad's size. */
const scrawl = () => Array.from({ length: 60 }, (_, i) => [i / 60, Math.abs(Math.sin(i / 9))].map(part))
const part = (n: number) => Math.round(n * 10_000) / 10_000
