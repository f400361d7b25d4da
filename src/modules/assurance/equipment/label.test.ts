import { expect, test } from 'vitest'
import { createEquipmentCompany } from '#test/support/equipment.ts'
import { testPortal } from '#test/support/portal.ts'
import { expectSuccess } from '#test/support/sign-offs.ts'

const portal = await testPortal()
const w = await createEquipmentCompany(portal)
const LABELS = '/api/safety/equipment_labels'

const secretOf = async (id: number): Promise<string> => {
  const [row] = await portal.db.tx('system', (tx) =>
    tx.rows<{ secret: string }>('SELECT label_secret AS secret FROM equipment_item WHERE id = $1', [id]),
  )
  return row?.secret ?? ''
}

test('the page of a label shows number, name, fitness and next check, and nothing else', async () => {
  const of = await w.item({ name: 'Hoist', serialNumber: 'S-1' })
  const required = await w.require(of, { startsOn: w.day(60) })
  const token = `${w.client.id}-${of.id}-${await secretOf(of.id)}`
  const seen = () => portal.anonymous.get(`${LABELS}/${token}`)
  expect(expectSuccess(await seen())).toEqual({
    '@id': `${LABELS}/${token}`,
    '@type': 'EquipmentLabel',
    number: of.number,
    name: 'Hoist',
    fitness: 'fit',
    nextCheckOn: w.day(60),
  })
  expectSuccess(await w.check(of, { requiredCheck: required['@id'], result: 'failed', defects: 'Rope is frayed' }))
  expect(expectSuccess(await seen()).fitness).toBe('out of service')
  expectSuccess(await w.manager.post(`${of['@id']}/scrap`, { reason: 'Rope' }))
  expect(expectSuccess(await seen())).toMatchObject({ fitness: null, nextCheckOn: null })
  expect(expectSuccess(await w.manager.get(of['@id']))).not.toHaveProperty('labelSecret')
})

test('an unknown code, and the code of another client with the wrong secret, answer the same', async () => {
  const [of, stranger] = [await w.item(), await createEquipmentCompany(portal)]
  const theirs = await stranger.item()
  const secret = await secretOf(of.id)
  const answers = await Promise.all(
    [
      `${w.client.id}-${of.id}-${'x'.repeat(32)}`,
      `${stranger.client.id}-${theirs.id}-${secret}`,
      `${stranger.client.id}-${of.id}-${secret}`,
      'rubbish',
    ].map((token) => portal.anonymous.get(`${LABELS}/${token}`)),
  )
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1)
  expect((await stranger.manager.get(`${LABELS}.pdf?items=${of.id}`)).status).toBe(404)
})

test('labels are printed for chosen items by the people who manage the equipment', async () => {
  const [one, two] = [await w.item(), await w.item()]
  const url = `${LABELS}.pdf?items=${one.id},${two.id}`
  const pdf = await w.manager.get(url)
  expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
  expect((await w.holder.get(url)).status).toBe(403)
  expect((await w.manager.get(`${LABELS}.pdf?items=`)).status).toBe(400)
})
