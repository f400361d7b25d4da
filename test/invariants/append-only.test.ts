import { describe, expect, test } from 'vitest'
import { text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { appendOnlyTables, findProtectedTables, verifyEvidenceCommand as verify } from '#server/evidence/command.ts'
import { testPortal } from '../support/portal.ts'
import { pickDailySample } from '../support/scope.ts'

const { db, engine } = await testPortal()
const declared = appendOnlyTables(engine.resources)
const asOwner = (sql: string) => db.tx('owner', (tx) => tx.script(sql))

test('exactly the tables declared append-only have triggers that reject changes', async () => {
  expect(declared).toEqual(expect.arrayContaining(['audit', 'seal', 'signature']))
  expect(await findProtectedTables(db.read)).toEqual(declared)
})

describe.each(pickDailySample(declared, 3))('the append-only table %s', (table) => {
  test.each([`UPDATE ${table} SET client_id = client_id`, `DELETE FROM ${table}`, `TRUNCATE ${table} CASCADE`])(
    'an append-only table rejects %s, even from its owner',
    async (sql) => {
      await expect(asOwner(sql)).rejects.toMatchObject({ code: '23001' })
    },
  )

  test('the verify command reports an append-only table that has lost its trigger', async () => {
    await expect(verify(engine, [])).resolves.toContain('are intact')
    await asOwner(`ALTER TABLE ${table} DISABLE TRIGGER append_only`)
    await expect(verify(engine, [])).rejects.toThrow(`Rows in the table ${table} can be changed`)
    await asOwner(`ALTER TABLE ${table} ENABLE TRIGGER append_only`)
  })
})

test('a declaration that allows changes to append-only records is rejected', () => {
  const declare = (allow: object) =>
    resource({
      type: 'Posting',
      service: 'test',
      path: 'postings',
      table: 'posting',
      tenant: 'own',
      appendOnly: true,
      fields: { name: text() },
      allow,
    })
  expect(() => declare({ read: 'member', create: 'member' })).not.toThrow()
  for (const allow of [{ update: 'member' }, { delete: 'member' }])
    expect(() => declare(allow)).toThrow("an append-only resource can't allow changes or deletion")
})
