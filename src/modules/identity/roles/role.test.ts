import { afterAll, describe, expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import reference from '../../../../db/reference/roles.json' with { type: 'json' }

const portal = await testPortal()
const ROLES = '/api/portal/roles'
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))
const known = new Set([...reference.roles, ...reference.categories].map((r) => r.name))
/** Returns the role names in order. Roles are global, so roles created by other tests are omitted. */
const names = (body: { 'hydra:member': { name: string }[] }) =>
  body['hydra:member']
    .map((r) => r.name)
    .filter((name) => known.has(name))
    .sort()

const client = await portal.client()
const member = client.as(await client.user())
const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_ROLES_ADMIN'] }))
const find = async (name: string) => (await keeper.get(`${ROLES}?name=${name}`)).body['hydra:member'][0]

afterAll(async () => {
  await sql(`UPDATE role SET retired = false, label = 'Reseller' WHERE name = 'ROLE_RESELLER'`)
})

describe('assignable roles', () => {
  test('internal roles are offered only to the provider, other roles to clients, and retired roles to nobody', async () => {
    await sql(`UPDATE role SET retired = true WHERE name = 'ROLE_RESELLER'`)
    const inside = names((await keeper.get(`${ROLES}?retired=false&internal=true`)).body)
    const outside = names((await member.get(`${ROLES}?retired=false&internal=false`)).body)
    expect(outside).toEqual([
      'ROLE_CLIENT_ADMIN',
      'ROLE_EMPLOYEE',
      'ROLE_EQUIPMENT',
      'ROLE_HR',
      'ROLE_HR_PRIVATE',
      'ROLE_INCIDENT_READER',
      'ROLE_INVOICING',
      'ROLE_INVOICING_FINANCE',
      'ROLE_RISK_CREATE_UNRESTRICTED',
      'ROLE_SAFETY_AUTHOR',
      'ROLE_SIGN_ON_BEHALF',
      'ROLE_TRAINING',
    ])
    expect(inside).toContain('ROLE_STAFF')
    expect(inside).not.toContain('ROLE_RESELLER')
    expect(names((await keeper.get(`${ROLES}?retired=true`)).body)).toEqual(['ROLE_RESELLER'])
    expect((await portal.anonymous.get(ROLES)).status).toBe(401)
  })

  test('internal roles are never visible outside the provider, through any endpoint', async () => {
    const { '@id': iri, category } = await find('ROLE_USER_ADMIN')
    for (const api of [member, admin]) {
      for (const query of [
        '',
        '?internal=true',
        '?name=ROLE_USER_ADMIN',
        '?category.name=Administration',
        '?pagination=false',
      ])
        expect(JSON.stringify((await api.get(`${ROLES}${query}`)).body['hydra:member'])).not.toMatch(
          /ROLE_(STAFF|USER_ADMIN)/,
        )
      expect((await api.get(iri)).status).toBe(404)
      expect((await api.get(category['@id'])).status).toBe(404)
      expect((await api.get(`${ROLES}/export.csv`)).text).not.toContain('User administrator')
      expect((await api.get('/api/portal/role_categories')).text).not.toContain('Administration')
    }
  })

  test('role categories have the same visibility as their roles', async () => {
    const categories = await member.get('/api/portal/role_categories?internal=false&retired=false')
    const found = categories.body['hydra:member'] as { '@id': string; name: string }[]
    expect(names(categories.body)).toEqual(['Company', 'People', 'Safety'])
    const company = found.find((c) => c.name === 'Company')?.['@id'] as string
    expect(names((await member.get(`${ROLES}?category=${company}`)).body)).toEqual([
      'ROLE_CLIENT_ADMIN',
      'ROLE_EMPLOYEE',
      'ROLE_INVOICING',
      'ROLE_INVOICING_FINANCE',
    ])
  })

  test('roles can be edited only by role administrators, and never renamed or created', async () => {
    const role = await find('ROLE_RESELLER')
    expect((await keeper.put(role['@id'], { label: 'Partner', name: 'ROLE_STAFF' })).body).toMatchObject({
      label: 'Partner',
      name: 'ROLE_RESELLER',
    })
    for (const api of [member, admin]) {
      expect((await api.put(role['@id'], { label: 'My views' })).status).toBe(403)
      expect((await api.post('/api/portal/role_categories', { name: 'My views' })).status).toBe(403)
    }
    expect((await keeper.post(ROLES, { name: 'ROLE_NEW', label: 'New' })).status).toBe(405)
    expect((await keeper.delete(role['@id'])).status).toBe(405)
    expect((await keeper.put(role['@id'], { label: '' })).status).toBe(422)
    const trail = await sql<{ verb: string; changes: unknown }>(
      `SELECT verb, changes -> 'label' AS changes FROM audit WHERE type = 'Role' AND row_id = $1 ORDER BY id`,
      [role.id],
    )
    expect(trail).toEqual([
      { verb: 'load', changes: null },
      { verb: 'update', changes: ['Reseller', 'Partner'] },
    ])
  })

  test('roles reserved for provider users can be changed only by provider users', async () => {
    const stray = client.as(await client.user({ roles: ['ROLE_ROLES_ADMIN'] }))
    const role = await find('ROLE_USER_ADMIN')
    expect((await stray.put(role['@id'], { internal: false })).status).toBe(403)
  })

  test('no change makes a provider role assignable to clients’ users, or a client’s role internal', async () => {
    const staff = await find('ROLE_STAFF')
    const answers = [
      await keeper.patch(staff['@id'], { internal: false }),
      await keeper.put(staff['@id'], { internal: false, label: 'Employee' }),
      await keeper.patch((await find('ROLE_EMPLOYEE'))['@id'], { internal: true }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409])
    expect(answers[0]?.body.detail).toBe(
      'This role gives access to the provider’s work, so it can’t be assigned to clients’ users.',
    )
    const made = await admin.post('/api/portal/users', { username: 'a.b', name: 'A B', roles: ['ROLE_STAFF'] })
    expect(made.status).toBe(422)
  })
})
