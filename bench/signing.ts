import type { Actor } from '#kernel/roles.ts'
import { signature } from '#rooms/documents/kinds/document.ts'
import { signAttendance } from '#rooms/safety/talks/attendance.server.ts'
import { attendee } from '#rooms/safety/talks/toolbox-talk.ts'
import type { Conn, Db } from '#server/db/db.ts'
import { type Engine, present } from '#server/engine/engine.ts'

const PEOPLE = 200

/** Statements that are sent, and journeys to the database: those that are sent without waiting for each other are one. */
export interface Sent {
  statements: number
}

/** The same database, counting the statements that are sent to it. */
export function counting(db: Db, sent: Sent): Db {
  const counted = <C extends Conn>(conn: C): C => ({
    ...conn,
    rows: (text: string, values?: readonly unknown[]) => {
      sent.statements++
      return conn.rows(text, values)
    },
    arrays: (query: { text: string }, values: readonly unknown[]) => {
      sent.statements++
      return conn.arrays(query, values)
    },
  })
  return {
    ...db,
    read: counted(db.read),
    tx: (as, work) =>
      db.tx(as, (tx) => {
        const inner = counted(tx)
        return work({
          ...inner,
          commitWith: (query, values) => {
            sent.statements++
            return tx.commitWith(query, values)
          },
        })
      }),
  }
}

const SQL = {
  people: `INSERT INTO user_account (client_id, username, name) SELECT $1, 'signer' || i, 'Signer ' || i FROM generate_series(1, ${PEOPLE}) i RETURNING id, username, name`,
  talk: `INSERT INTO document (client_id, kind, number, title, state, complete, approved, current, content, seal) VALUES ($1, 'toolbox_talk', 'TT-1', 'Ladders', 'current', true, true, true, '{}', 'x') RETURNING id`,
  record: `INSERT INTO talk_presented (client_id, talk_id, title, presenter, date) VALUES ($1, $2, 'Ladders', 'Ada', '2026-01-01') RETURNING id`,
  attendees:
    "INSERT INTO talk_attendee (client_id, presented_id, position, name, visitor) SELECT $1, $2, i, 'Visitor ' || i, true FROM generate_series(1, 12) i RETURNING id",
  bare: "INSERT INTO signature (client_id, document_id, name, method) VALUES ($1, $2, 'Bare', 'typed') RETURNING *",
}

interface Signer {
  readonly id: number
  readonly username: string
  readonly name: string
}

/** What it costs to save a signature, beside an insert of one row that is committed by itself. Prints milliseconds and statements. */
export async function measureSigning(db: Db, sent: Sent, engine: Engine, clientId: number): Promise<void> {
  const as = { clientId }
  const sql = <T>(text: string, ...values: unknown[]) =>
    db.tx('system', (tx) => tx.rows<T>(text, [clientId, ...values]))
  const people = await sql<Signer>(SQL.people)
  const idOf = async (text: string, ...values: unknown[]) => (await sql<{ id: number }>(text, ...values))[0]?.id ?? 0
  const talk = await idOf(SQL.talk)
  const actorOf = ({ id, username, name }: Signer): Actor => ({
    userId: id,
    clientId,
    username,
    name,
    roles: ['ROLE_EMPLOYEE'],
    scopes: [],
    packs: { safety: 'active' },
  })
  const drawn = { width: 300, height: 100, strokes: Array.from({ length: 4 }, () => scrawl()) }
  let bare = 0
  const timed = async (what: string, times: number, work: (n: number) => Promise<unknown>) => {
    const took: number[] = []
    for (let n = 0; n < 5; n++) await work(n)
    sent.statements = 0
    for (let n = 5; n < times; n++) {
      const began = performance.now()
      await work(n)
      took.push(performance.now() - began)
    }
    const middle = took.toSorted((a, b) => a - b)[took.length >> 1] ?? 0
    bare ||= middle
    const ratio = bare === middle ? '' : `**${(middle / bare).toFixed(1)}**`
    console.log(
      `| ${what} | ${middle.toFixed(2)} | ${(sent.statements / took.length).toFixed(1)} | ${ratio} | ${ratio && '≤ 2'} |`,
    )
  }
  console.log('\n| saving | ms, middle | statements | ÷ bare insert | goal |\n|---|---|---|---|---|')
  await timed('a bare insert', PEOPLE, () => db.tx(as, (tx) => tx.rows(SQL.bare, [clientId, talk])))
  await timed('a signature of a document', PEOPLE, (n) => {
    const actor = actorOf(people[n] as Signer)
    return engine.create(
      signature,
      { document: `/api/safety/documents/${talk}`, method: 'finger', strokes: drawn },
      { actor, requestId: 'bench' },
    )
  })
  const records: { id: number; rows: readonly { id: number }[] }[] = []
  for (let n = 0; n < PEOPLE / 10; n++) {
    const id = await idOf(SQL.record, talk)
    records.push({ id, rows: await sql<{ id: number }>(SQL.attendees, id) })
  }
  const sign = (actor: Actor, id: number, row: number | null) =>
    engine.inTenant(clientId, { actor, requestId: 'bench' }, async (c) => {
      const given = { attendee: row, name: '', method: 'finger' as const, strokes: drawn, visitor: false }
      const written = await signAttendance(c, id, given)
      return () => present(attendee, actor, written)
    })
  const first = actorOf(people[0] as Signer)
  await timed('a visitor’s of an attendance', PEOPLE, (n) => {
    const record = records[Math.floor(n / 10)]
    return sign(first, record?.id ?? 0, record?.rows[n % 10]?.id ?? 0)
  })
  await timed('one’s own of an attendance', PEOPLE, (n) =>
    sign(actorOf(people[n] as Signer), records[Math.floor(n / 10)]?.id ?? 0, null),
  )
}

const scrawl = () => Array.from({ length: 60 }, (_, i) => [i / 60, Math.abs(Math.sin(i / 9))])
