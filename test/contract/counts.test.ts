import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { flag, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { openLadderPortal } from '#test/support/ladders.ts'

const portal = await openLadderPortal()
const LIST = '/api/test/step_ladders'

async function makeYard() {
  const client = await portal.client()
  const api = client.as(await client.user({ roles: ['ROLE_YARDS'] }))
  const { body: north } = await api.post('/api/test/yards', { name: 'North' })
  const add = (values: Record<string, unknown>) => api.post(LIST, values)
  return { client, api, north: north['@id'] as string, add }
}

test('a write invalidates the cached totals of its table', async () => {
  const { add } = await makeYard()
  const invalidated = vi.spyOn(portal.engine.totals, 'changed')
  onTestFinished(() => invalidated.mockRestore())
  await add({ name: 'New' })
  expect(invalidated.mock.calls.flat()).toContain('test_ladder')
})

describe('counts for a list', () => {
  test('counts are grouped by field value with labels, including unused values and empty fields', async () => {
    const { api, add } = await makeYard()
    await add({ name: 'a', grade: 'home' })
    await add({ name: 'b', grade: 'home' })
    await add({ name: 'c' })
    const { status, body } = await api.get(`${LIST}/counts?by=grade`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      '@id': `${LIST}/counts?by=grade`,
      by: 'grade',
      counts: [
        { value: 'pro', label: 'Professional', count: 0 },
        { value: 'home', label: 'Household', count: 2 },
        { value: null, label: 'None', count: 1 },
      ],
    })
  })

  test("counts by a field apply all filters except the field's own", async () => {
    const { api, add } = await makeYard()
    await add({ name: 'Attic', grade: 'home' })
    await add({ name: 'Attic too', grade: 'pro' })
    await add({ name: 'Barn', grade: 'pro' })
    const counts = async (query: string) =>
      (await api.get(`${LIST}/counts?by=grade&${query}`)).body.counts.map((c: { count: number }) => c.count)
    expect(await counts('name=attic')).toEqual([1, 1])
    for (const own of ['grade=home', 'grade[]=home', 'exists[grade]=false']) expect(await counts(own)).toEqual([2, 1])
  })

  test('counts by relation name only the related records that the reader may read', async () => {
    const { client, api, north, add } = await makeYard()
    await add({ name: 'a', yard: north })
    await add({ name: 'b', yard: north })
    await add({ name: 'c' })
    expect((await api.get(`${LIST}/counts?by=yard`)).body.counts).toEqual([
      { value: north, label: 'North', count: 2 },
      { value: null, label: 'None', count: 1 },
    ])
    const other = client.as(await client.user())
    expect((await other.get(`${LIST}/counts?by=yard`)).body.counts[0].label).toBe(north.split('/').at(-1))
  })

  test('counts by a boolean field are grouped into yes and no', async () => {
    const { api, add } = await makeYard()
    await add({ name: 'a' })
    expect((await api.get(`${LIST}/counts?by=retired`)).body.counts).toEqual([
      { value: true, label: 'Yes', count: 0 },
      { value: false, label: 'No', count: 1 },
    ])
  })

  test('counts exclude records of other clients', async () => {
    const theirs = await makeYard()
    await theirs.add({ name: 'a', grade: 'pro' })
    const { api } = await makeYard()
    expect((await api.get(`${LIST}/counts?by=grade&client=${theirs.client.id}`)).body.counts).toMatchObject([
      { count: 0 },
      { count: 0 },
    ])
    expect((await portal.anonymous.get(`${LIST}/counts?by=grade`)).status).toBe(401)
  })

  test('counts can be requested only by fields declared for counting', async () => {
    const { api } = await makeYard()
    for (const query of ['', '?by=name', '?by=accident', '?by=constructor']) {
      const { status, body } = await api.get(`${LIST}/counts${query}`)
      expect([status, body['hydra:description']]).toEqual([400, '"by" must be one of: grade, yard, retired.'])
    }
  })

  test('the parameters accepted by counts are documented', async () => {
    const { api } = await makeYard()
    const { body } = await api.get(`${LIST}/counts?by=grade`)
    expect(body['hydra:search']['hydra:template']).toContain(`${LIST}/counts{?by,id,id[],name`)
    expect(body['hydra:search']['hydra:mapping'][0]).toEqual({
      '@type': 'IriTemplateMapping',
      variable: 'by',
      property: '',
      required: true,
    })
  })
})

test('a field that some readers cannot filter by cannot be declared for counting', () => {
  const declare = (fields: Parameters<typeof resource>[0]['fields']) => () =>
    resource({ type: 'X', service: 'x', path: 'xs', table: 'x', tenant: 'own', allow: {}, fields })
  expect(declare({ a: text({ count: true }) })).toThrow(
    'a field by which lists are counted must not be confidential, and must have a filter and few values',
  )
  expect(declare({ a: flag({ count: true, filter: true, visible: 'ROLE_STAFF' }) })).toThrow('X.a')
})
