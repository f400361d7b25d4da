import { expect, test } from 'vitest'
import { modules } from '#app/modules.ts'
import type { Field } from '#kernel/fields.ts'
import { PACKS } from '#kernel/packs.ts'
import type { Resource } from '#kernel/resource.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { trainingSession } from '#modules/training/bookings/session.ts'
import { trainingCourseTemplate } from '#modules/training/courses/course.ts'
import { type TestClient, testPortal } from '#test/support/portal.ts'
import reference from '../../db/reference/roles.json' with { type: 'json' }

const portal = await testPortal()
const PERSON = { username: 'impersonated.person', name: 'Impersonated Person' }
const creatable = modules
  .flatMap((module) => module.resources ?? [])
  .filter(({ allow }) => allow.whileImpersonating?.includes('create'))

/** Columns of the person’s account, profile and private view, and of the logs of the impersonation. */
const OWN_COLUMNS = [
  'audit.as_username',
  'saved_view.owner_name',
  'security_event.as_username',
  'staff.name',
  'staff.username',
  'user_account.folded_name',
  'user_account.folded_username',
  'user_account.name',
  'user_account.username',
  'username_kept.username',
  'visit.as_username',
]

/** Impersonates a user of a new client who has every role, with permission for changes. */
async function impersonate() {
  const client = await portal.client({ packs: PACKS })
  const person = await client.user({ ...PERSON, roles: reference.roles.map(({ name }) => name) })
  const staff = await portal.provider.user({ roles: ['ROLE_STAFF'], name: 'Sam Taylor' })
  const from = { address: '127.0.0.1', agent: 'test', browser: false }
  const own = await portal.sessions.open({ clientId: staff.clientId, userId: staff.id }, from)
  const to = { username: person.username, clientId: client.id }
  const { token } = await portal.sessions.visit(own.token, to, 'They rang')
  const allowed = await portal.bearing(token).post('/api/security/user/write', { reason: 'To mend it' })
  return { client, api: portal.bearing(allowed.body.token) }
}

const created = new Map<Resource, string>()

/** Values for fields that take a value from a list. */
const CHOSEN: Readonly<Record<string, string>> = { image: 'M014' }

function valueFor(name: string, { kind, options, target }: Field): unknown {
  if (kind === 'link') return target && created.get(target())
  if (kind === 'choice') return options?.[0]?.value
  if (kind === 'decimal' || kind === 'integer') return 1
  if (kind === 'date') return '2026-02-01'
  return kind === 'email' ? 'somebody@x.example' : (CHOSEN[name] ?? 'Something')
}
const bodyFor = (r: Resource) =>
  Object.fromEntries(
    Object.entries<Field>(r.fields).flatMap(([name, f]) =>
      (f.required || name === r.title || name === 'companyName') && !f.readonly ? [[name, valueFor(name, f)]] : [],
    ),
  )

/** Adds an employee of the client, and a training session of the provider, which bookings need. */
async function prepareBooking(client: TestClient): Promise<void> {
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const holder = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
  const { body } = await holder.get(trainingCourseTemplate.url)
  const person = await admin.post(employee.url, { forename: 'Walt', surname: 'Worker', extCStartDate: '2020-01-06' })
  const startsAt = portal.engine.clock.now().add({ minutes: 60 })
  const session = await holder.post(trainingSession.url, {
    course: body['hydra:member'][0]['@id'],
    trainer: 'Terry Teacher',
    startsAt: startsAt.toString(),
    endsAt: startsAt.add({ minutes: 60 }).toString(),
    online: true,
    seats: 2,
  })
  created.set(employee, person.body['@id'])
  created.set(trainingSession, session.body['@id'])
}

test('no record that is written during impersonation names the impersonated person', async () => {
  const { client, api } = await impersonate()
  await prepareBooking(client)
  const refused = new Map<string, string>()
  // Resources with relations follow those to which they refer.
  for (const r of [...creatable, ...creatable]) {
    if (created.has(r)) continue
    const { status, body } = await api.post(r.url, bodyFor(r))
    if (status !== 201) {
      refused.set(r.type, body.detail)
      continue
    }
    refused.delete(r.type)
    created.set(r, body['@id'])
    for (const [name, action] of Object.entries(r.actions ?? {}))
      if (action.whileImpersonating) await api.post(`${body['@id']}/${action.path ?? name}`, {})
  }
  expect(Object.fromEntries(refused)).toEqual({})

  const named = await portal.db.tx('system', async (tx) => {
    const columns = await tx.rows<{ table: string; column: string }>(
      `SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
       JOIN information_schema.columns k ON k.table_schema = c.table_schema AND k.table_name = c.table_name AND k.column_name = 'client_id'
       WHERE c.table_schema = 'public' AND c.data_type = 'text' AND has_table_privilege(format('%I.%I', c.table_schema, c.table_name), 'SELECT')
       ORDER BY 1, 2`,
    )
    const found: string[] = []
    for (const { table, column } of columns) {
      const rows = await tx.rows(
        `SELECT 1 FROM "${table}" WHERE client_id = $1 AND lower("${column}") IN (lower($2), lower($3)) LIMIT 1`,
        [client.id, PERSON.username, PERSON.name],
      )
      if (rows.length) found.push(`${table}.${column}`)
    }
    return found
  })
  expect(named.filter((column) => !OWN_COLUMNS.includes(column))).toEqual([])
  expect(named).toContain('audit.as_username')
})
