import type { Fields } from '#kernel/fields.ts'
import { actionsWithUrl, iriOf, type Resource } from '#kernel/resource.ts'
import { type TestApi, type TestResponse, testPortal } from '#test/support/portal.ts'
import { sampleShapes, testEach } from '#test/support/scope.ts'
import { ALL_PROVIDER_ROLES, CLIENT_MARKS, insertRow, makeInvariantWorld, makeRequestBody } from './world.ts'

const portal = await testPortal()
const world = await makeInvariantWorld(portal)
const { home, other } = world
const HOME_ROLES = ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED', 'ROLE_SAFETY_ADMIN', 'ROLE_USER_ADMIN']
const people: readonly TestApi[] = [
  home.as(await home.user({ roles: HOME_ROLES })),
  portal.provider.as(await portal.provider.user({ roles: ALL_PROVIDER_ROLES })),
]

/** Returns values that hardly any field accepts: null, a missing value, and a relation to another client's record. */
async function unfitValues(fields: Fields): Promise<[string, unknown][]> {
  const unfit: [string, unknown][] = []
  for (const [name, f] of Object.entries(fields)) {
    if (f.readonly && name !== 'client') continue
    if (f.kind !== 'rows') unfit.push([name, null])
    if (f.required) unfit.push([name, undefined])
    const target = f.target?.()
    if (f.kind === 'rows' && target)
      unfit.push([name, [Object.fromEntries(Object.keys(target.fields).map((one) => [one, null]))]])
    else if (target && target.tenant !== 'shared')
      unfit.push([name, iriOf(target, await insertRow(world, target, other.id, CLIENT_MARKS.other))])
  }
  return unfit
}

testEach(
  'no field fails on null or on a relation to another client, and no required field is accepted without a value',
  sampleShapes(portal.engine.addressed.filter((r) => r.allow.create || r.allow.update || r.actions)),
  ({ type }: Resource) => type,
  async (r) => {
    const failures: string[] = []
    const note = (what: string, { status, text }: TestResponse, isMissing = false) => {
      if (status >= 500 || (isMissing && status < 300))
        failures.push(`${what} is answered with ${status}: ${text.slice(0, 100)}`)
    }
    const unfit = await unfitValues(r.fields)
    for (const [n, api] of people.entries()) {
      const clientId = n ? 0 : home.id
      const body = await makeRequestBody(world, r.fields, clientId, CLIENT_MARKS.home)
      const record = r.tenant === 'shared' ? 3 : await insertRow(world, r, clientId, CLIENT_MARKS.home)
      const url = `${r.url}/${record}`
      for (const [name, value] of unfit) {
        const shown = `${name} as ${JSON.stringify(value)}`
        const f = r.fields[name]
        // A field that is cleared gets its default value, if it has one.
        const isMissing = value == null && f?.required !== undefined && f.default === undefined
        if (r.allow.create) note(`POST with ${shown}`, await api.post(r.url, { ...body, [name]: value }), isMissing)
        if (r.allow.update)
          note(`PATCH with ${shown}`, await api.patch(url, { [name]: value }), isMissing && value === null)
      }
      for (const [action, { path, input }] of actionsWithUrl(r))
        for (const [name, value] of await unfitValues(input)) {
          const answer = await api.post(`${url}/${path}`, { [name]: value })
          note(`${action} with ${name} as ${JSON.stringify(value)}`, answer)
        }
    }
    if (failures.length) throw new Error(failures.join('; '))
  },
)
