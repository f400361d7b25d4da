import { describe, expect, test } from 'vitest'
import type { Resource, RowOf } from '#kernel/resource.ts'
import { staffAccount } from '#modules/crm/staff/staff.ts'
import { employeeAccount } from '#modules/people/employees/employee.ts'
import { testPortal } from '#test/support/portal.ts'
import type { AccountRecordRelation } from './account-record.ts'
import { findAccountRecord } from './accounts.server.ts'
import { user } from './user.ts'

const portal = await testPortal()

/** Relations of all resources whose records are linked to accounts. */
const relations = [staffAccount, employeeAccount] as unknown as readonly AccountRecordRelation<Resource>[]

describe('a staff record linked to an account', () => {
  const [relation] = relations as [AccountRecordRelation<Resource>]
  const { follows, role } = relation

  test('every account with the required role has a linked record that is updated when the account changes', async () => {
    const client = await portal.client()
    const keeper = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    const person = await client.user({ roles: [role ?? ''] })
    const other = await client.user({ roles: ['ROLE_EMPLOYEE'] })
    const both = (id: number) =>
      portal.engine.readIn(client.id, 'test', async (c) => ({
        of: (await c.get(user, id)) as RowOf<Resource> | undefined,
        record: await findAccountRecord(c, relation, id),
      }))
    const said = (row: Readonly<Record<string, unknown>> | undefined) => follows.map((name) => row?.[name])

    const before = await both(person.id)
    expect([before.record?.retired, said(before.record)]).toEqual([false, said(before.of)])
    expect((await both(other.id)).record).toBeUndefined()
    expect((await keeper.put(person.iri, { name: 'Ivy Renamed', username: `ivy.${person.id}` })).status).toBe(200)
    const after = await both(person.id)
    expect([after.record?.id, said(after.record)]).toEqual([before.record?.id, said(after.of)])
    expect(said(after.record)).not.toEqual(said(before.record))
    expect((await keeper.put(person.iri, { roles: [], handToTeam: true })).status).toBe(200)
    expect((await both(person.id)).record?.retired).toBe(true)
  })
})

test.each(relations)('an account can have only one $resource.type record', async ({ resource, account }) => {
  const indexes = await portal.db.tx('system', (tx) =>
    tx.rows<{ indexdef: string }>('SELECT indexdef FROM pg_indexes WHERE tablename = $1', [resource.table]),
  )
  const unique = new RegExp(`UNIQUE.*\\(client_id, ${resource.columns[account]}\\)`)
  expect(indexes.filter(({ indexdef }) => unique.test(indexdef))).toHaveLength(1)
})
