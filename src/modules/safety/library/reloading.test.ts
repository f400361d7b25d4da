import { expect, test } from 'vitest'
import { createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { testPortal } from '#test/support/portal.ts'
import { hazardControl } from './hazard.ts'
import { libraryReferenceData } from './library.server.ts'
import { readHazardLibrary } from './ready-made.server.ts'

const portal = await testPortal()
const SHIPPED_CONTROLS = readHazardLibrary().flatMap(({ controls }) => controls).length

test('loading the library again retires the former controls of its hazards, except those that users changed', async () => {
  const stop = new Error('nothing of this stays')
  const trial = portal.engine.inTenant(
    PROVIDER_CLIENT_ID,
    { actor: createSystemActor(PROVIDER_CLIENT_ID, 'a trial'), requestId: 'trial' },
    async (c) => {
      const { tx } = c.work
      await tx.rows('SET LOCAL ROLE stanchion_system')
      const add = async (name: string) => {
        const [row] = await tx.rows<{ id: number }>(
          `INSERT INTO hazard_control (client_id, hazard_id, name, tier, template_key)
           SELECT 0, id, $1::text, 'administrative', '1/' || $1::text FROM hazard WHERE client_id = 0 AND template_key = '1' RETURNING id`,
          [name],
        )
        return row?.id
      }
      await add('Former title')
      const [edited] = await c.find(hazardControl, { id: (await add('Edited title')) ?? 0 })
      if (edited) await (await c.change(hazardControl, edited, { description: 'In our own words.' })).saved()
      await libraryReferenceData.load(c)
      const rows = await tx.rows("SELECT name, retired FROM hazard_control WHERE name LIKE '% title' ORDER BY name")
      expect(rows).toEqual([
        { name: 'Edited title', retired: false },
        { name: 'Former title', retired: true },
      ])
      throw stop
    },
  )
  await expect(trial).rejects.toBe(stop)
})

test('loading the library templates again adds missing templates and leaves edited templates unchanged', async () => {
  const stop = new Error('nothing of this stays')
  const trial = portal.engine.inTenant(
    PROVIDER_CLIENT_ID,
    { actor: createSystemActor(PROVIDER_CLIENT_ID, 'a trial'), requestId: 'trial' },
    async (c) => {
      const { tx } = c.work
      await tx.rows('SET LOCAL ROLE stanchion_system')
      const of = "FROM hazard WHERE client_id = 0 AND template_key = '1'"
      const kept = (await tx.rows<{ id: number }>(`SELECT id ${of}`))[0]?.id
      await tx.rows("UPDATE hazard SET name = 'Our own words', retired = true WHERE id = $1", [kept])
      await tx.rows("DELETE FROM task WHERE client_id = 0 AND template_key = '33'")
      await libraryReferenceData.load(c)
      const [after] = await tx.rows(
        `SELECT id, name, retired, (SELECT count(*)::int FROM hazard_control WHERE client_id = 0 AND template_key IS NOT NULL) AS controls,
         (SELECT count(*)::int FROM task WHERE client_id = 0 AND template_key IS NOT NULL) AS tasks ${of}`,
      )
      expect(after).toEqual({ id: kept, name: 'Our own words', retired: true, controls: SHIPPED_CONTROLS, tasks: 33 })
      throw stop
    },
  )
  await expect(trial).rejects.toBe(stop)
})
