import { describe, expect, test } from 'vitest'
import { accessScopeFor } from '#kernel/can.ts'
import type { Field } from '#kernel/fields.ts'
import { PACKS } from '#kernel/packs.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { exportColumnsOf } from '#server/exports/columns.ts'
import { compileSqlCells } from '#server/exports/compiled.ts'
import { exportCsv, makeExportEngines } from '#test/support/exported.ts'
import { testPortal } from '#test/support/portal.ts'
import { IS_FULL_RUN, sampleShapes, testEach } from '#test/support/scope.ts'
import { ALL_PROVIDER_ROLES, CLIENT_MARKS, insertRow, makeClientActor, makeInvariantWorld } from './world.ts'

// For every list and reader, the export written by the database must equal the one written row by row, byte for byte.

const portal = await testPortal()
const w = await makeInvariantWorld(portal)

const [compiled, plain] = makeExportEngines(portal)

const person = (clientId: number, ...roles: string[]): Actor => ({
  ...makeClientActor(clientId, ...roles),
  packs: Object.fromEntries(PACKS.map((pack) => [pack, 'active' as const])),
})
const readers: Record<string, Actor> = {
  'a client admin': person(w.home.id, 'ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'),
  'a manager': person(0, ...ALL_PROVIDER_ROLES),
}

/** Returns the columns of a list for this reader, grouped by whether the database can write them. */
const columnsFor = (r: Resource, actor: Actor) =>
  Object.groupBy(exportColumnsOf(r, actor, {}), (column) =>
    compileSqlCells(r, actor, [column, column], 'uk') ? 'compiled' : 'plain',
  )

/** Text that starts formulas, needs quotes, or may be parsed differently by COPY, JavaScript and PostgreSQL. */
const ODD = [
  '=1+1',
  '@SUM(A1)',
  ' \u00a0@x',
  '"quoted", and\r\nbroken',
  '\\.',
  ' at the ends ',
  '',
  '＝x',
  '\u00e9',
  '-',
  "$1 \\ '",
  '\tx',
  '\u2003+1',
  '7',
]
const TEXTS = ['text', 'longText', 'phone', 'email']
let turn = 0
let taken = 0

async function makeOddRow(r: Resource, clientId: number, mark: string) {
  const id = await insertRow(w, r, clientId, mark)
  for (const [name, f] of Object.entries<Field>(r.fields))
    if (TEXTS.includes(f.kind) && !f.inJson && !f.sql && r.columns[name])
      await portal.db
        .tx('system', (tx) =>
          tx.rows(`UPDATE ${r.table} SET ${r.columns[name]} = $1 WHERE id = $2`, [ODD[turn++ % ODD.length], id]),
        )
        .then(
          () => {
            taken += 1
          },
          () => {},
        )
}

testEach(
  'a list exported by the database equals one exported row by row',
  sampleShapes(portal.engine.addressed),
  (r) => r.type,
  async (r) => {
    if (r.tenant !== 'self') {
      await makeOddRow(r, w.home.id, CLIENT_MARKS.home)
      await makeOddRow(r, 0, 'Provided')
    }
    for (const [who, actor] of Object.entries(readers)) {
      if (accessScopeFor(actor, 'read', r).tenants === 'none') continue
      const names = (columnsFor(r, actor).compiled ?? []).map(({ name }) => name)
      const query = { columns: names.join(','), dates: actor.clientId ? 'uk' : 'iso' }
      const found = await exportCsv(compiled, r, actor, query)
      expect([who, found]).toEqual([who, await exportCsv(plain, r, actor, query)])
    }
  },
)

test('enough exports with unusual values are generated', () => {
  expect(taken).toBeGreaterThan(IS_FULL_RUN ? 100 : 50)
})

test('only a few columns cannot be exported by the database, and lists with such a column are exported row by row', () => {
  const found = portal.engine.addressed.flatMap((r) =>
    Object.values(readers).flatMap((actor) =>
      (columnsFor(r, actor).plain ?? []).map(({ name }) => `${r.type}.${name}`),
    ),
  )
  expect([...new Set(found)].sort()).toEqual([
    'CommissionLine.month',
    'Letter.body',
    'PolicyArrangement.description',
    'PolicyArrangementAll.description',
    'Quote.terms',
    'QuoteSettings.terms',
    'StandardStatement.text',
    'Task.text',
  ])
})

describe('a cell that combines several fields', () => {
  const contact = portal.engine.addressed.find((r) => r.type === 'Contact') as Resource
  test('a cell with several source fields contains the first non-empty value', async () => {
    const { id } = await portal.client()
    const numbers = [
      ['01632 960001', '07700 900001'],
      ['', '+44 7700 900002'],
      [null, ''],
    ]
    for (const [n, [phone, mobile]] of numbers.entries())
      await portal.db.tx('system', (tx) =>
        tx.rows('INSERT INTO contact (client_id, company_name, phone, mobile) VALUES ($1, $2, $3, $4)', [
          id,
          `Firm ${n}`,
          phone,
          mobile,
        ]),
      )
    const query = { columns: 'companyName,phone;mobile,owner;name', 'order[id]': 'asc' }
    const reader = person(id, ...ALL_PROVIDER_ROLES)
    const found = await exportCsv(compiled, contact, reader, query)
    expect(found.split('\r\n').slice(1)).toEqual(['Firm 0,01632 960001,', 'Firm 1,+44 7700 900002,', 'Firm 2,,', ''])
    expect(found).toBe(await exportCsv(plain, contact, reader, query))
  })
})

// Consumers are notified when the last row has arrived. A busy consumer may never become free again.
test('an export whose rows are not read does not delay the next query', async () => {
  const busy = { take: () => false, whenFree: () => {} }
  const answered = await portal.db.snapshot(async (conn) => {
    await conn.copyOut?.({ text: 'SELECT generate_series(1, 5)' }, [], busy)
    return conn.rows('SELECT 1 AS n')
  })
  expect(answered).toEqual([{ n: 1 }])
})
