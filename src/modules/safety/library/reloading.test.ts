import { expect, test } from 'vitest'
import type { Resource } from '#kernel/resource.ts'
import { createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { document } from '#modules/documents/types/document.ts'
import type { Context } from '#server/engine/types.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { testPortal } from '#test/support/portal.ts'
import { riskAssessment } from '../risk/risk-assessment.ts'
import { documentTemplateReferenceData } from '../templates.server.ts'
import { hazard, hazardControl } from './hazard.ts'
import { libraryReferenceData } from './library.server.ts'
import { readHazardLibrary } from './ready-made.server.ts'

const portal = await testPortal()
const SHIPPED_TASKS: number = readReferenceFile('method-statement-library.json').tasks.length
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
      const [own] = await c.find(hazard, { id: kept ?? 0 })
      if (own) await (await c.change(hazard, own, { name: 'Our own words', retired: true })).saved()
      await tx.rows("DELETE FROM task WHERE client_id = 0 AND template_key = '33'")
      await libraryReferenceData.load(c)
      const [after] = await tx.rows(
        `SELECT id, name, retired, (SELECT count(*)::int FROM hazard_control WHERE client_id = 0 AND template_key IS NOT NULL) AS controls,
         (SELECT count(*)::int FROM task WHERE client_id = 0 AND template_key IS NOT NULL) AS tasks ${of}`,
      )
      expect(after).toEqual({
        id: kept,
        name: 'Our own words',
        retired: true,
        controls: SHIPPED_CONTROLS,
        tasks: SHIPPED_TASKS,
      })
      throw stop
    },
  )
  await expect(trial).rejects.toBe(stop)
})

/**
 * Runs `attempt` in a transaction of the provider that is rolled back afterwards. With `asUser`, the writes are those
 * of a user.
 */
async function tryAsProvider(
  attempt: (c: Context, asUser: (of: Resource, id: number) => Promise<void>) => Promise<void>,
) {
  const stop = new Error('nothing of this stays')
  const trial = portal.engine.inTenant(
    PROVIDER_CLIENT_ID,
    { actor: createSystemActor(PROVIDER_CLIENT_ID, 'a trial'), requestId: 'trial' },
    async (c) => {
      await c.work.tx.rows('SET LOCAL ROLE stanchion_system')
      await attempt(c, async (of, id) => {
        await c.work.tx.rows(
          `INSERT INTO audit (client_id, type, row_id, verb, user_id, username) VALUES (0, $1, $2, 'update', 1, 'somebody')`,
          [of.type, id],
        )
      })
      throw stop
    },
  )
  await expect(trial).rejects.toBe(stop)
}

test('loading the library again corrects hazards and controls that no user has changed, and retires former hazards', async () => {
  await tryAsProvider(async (c, asUser) => {
    const { tx } = c.work
    const idOf = async (table: string, key: string) =>
      (await tx.rows<{ id: number }>(`SELECT id FROM ${table} WHERE client_id = 0 AND template_key = $1`, [key]))[0]
        ?.id ?? 0
    const [first, second] = readHazardLibrary()
    if (!first || !second) throw new Error('no library')
    const [old, edited] = [await idOf('hazard', first.key), await idOf('hazard', second.key)]
    await tx.rows("UPDATE hazard SET description = 'An old text' WHERE id IN ($1, $2)", [old, edited])
    await asUser(hazard, edited)
    const control = await idOf('hazard_control', `${first.key}/${first.controls[0]?.name}`)
    await tx.rows("UPDATE hazard_control SET description = 'An old text' WHERE id = $1", [control])
    await tx.rows(
      `INSERT INTO hazard (client_id, group_id, name, description, industries, template_key)
       SELECT 0, group_id, 'Former hazard', 'An old text', '{}', 'former' FROM hazard WHERE id = $1`,
      [old],
    )
    await libraryReferenceData.load(c)
    const texts = await c.find(hazard, { id: [old, edited] })
    expect(texts.map(({ description }) => description)).toEqual([first.description, 'An old text'])
    const [corrected] = await c.find(hazardControl, { id: control })
    expect(corrected?.description).toBe(first.controls[0]?.description)
    const [former] = await c.find(hazard, { id: await idOf('hazard', 'former') })
    expect(former?.retired).toBe(true)
  })
})

test('loading the templates again changes nothing if their content is the same', async () => {
  await tryAsProvider(async (c) => {
    const before = await c.find(document, { client: PROVIDER_CLIENT_ID })
    await libraryReferenceData.load(c)
    await documentTemplateReferenceData.load(c)
    const after = await c.find(document, { client: PROVIDER_CLIENT_ID })
    expect(after.map(({ documentNumber, revision }) => [documentNumber, revision])).toEqual(
      before.map(({ documentNumber, revision }) => [documentNumber, revision]),
    )
  })
})

test('a template whose content has changed gets a new revision in force, unless a user has changed the template', async () => {
  await tryAsProvider(async (c, asUser) => {
    const { tx } = c.work
    const templates = (await c.find(document, { kind: riskAssessment.kind, current: true })).filter(
      ({ clientId }) => clientId === PROVIDER_CLIENT_ID,
    )
    const [old, edited] = templates
    if (!old || !edited) throw new Error('no templates')
    await tx.rows(
      `UPDATE hazard_control SET name = 'Do it as we used to' WHERE client_id = 0 AND id IN
       (SELECT min(control_id) FROM risk_item WHERE document_id IN ($1, $2) GROUP BY document_id)`,
      [old.id, edited.id],
    )
    await asUser(riskAssessment.resource, edited.id)
    await documentTemplateReferenceData.load(c)
    const revisions = async ({ documentNumber }: typeof old) =>
      (await c.find(document, { kind: riskAssessment.kind, documentNumber })).map((d) => [d.revision, d.state])
    expect(await revisions(old)).toEqual([
      [1, 'replaced'],
      [2, 'current'],
    ])
    expect(await revisions(edited)).toEqual([[1, 'current']])
  })
})
