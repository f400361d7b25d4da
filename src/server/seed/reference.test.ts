import { expect, test } from 'vitest'
import { registryOf } from '#server/engine/registry.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()

test('a test portal starts with the current reference data of all modules, including forms', async () => {
  const rows = await portal.db.tx('system', (tx) =>
    tx.rows<{ name: string; version: number }>('SELECT name, version FROM reference_version'),
  )
  const declared = registryOf(portal.engine).modules.flatMap((module) => module.referenceData ?? [])
  expect(new Map(rows.map((row) => [row.name, row.version]))).toEqual(
    new Map(declared.map(({ name, edition }) => [name, edition])),
  )
})
