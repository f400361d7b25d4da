import { link } from '#kernel/fields.ts'
import { iriOf } from '#kernel/resource.ts'
import { client } from '#modules/portal/clients/client.ts'
import { appStatus } from '#modules/portal/packs/app-status.ts'
import { addProducts, listProductsForClient } from '#modules/portal/packs/routes.server.ts'
import { feature } from '#server/engine/module.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { department } from '../employees/employee.ts'

const DEFAULT_DEPARTMENTS = ['Management', 'Office', 'Operations'] as const

/** Creates the default departments of a client that has none. Returns their IDs. */
async function addDepartments(c: Context): Promise<readonly number[]> {
  if (await c.exists(department, {})) return []
  const right = c.withoutPermissionCheck('a client starts with the default departments')
  return right.createAll(
    department,
    DEFAULT_DEPARTMENTS.map((name) => ({ name })),
  )
}

const setUpEmployees = routeWithInput(
  { client: link(() => client, { required: true, lenient: true }) },
  {
    method: 'POST',
    path: '/api/employees/setup_ffe',
    title: 'Open the employees product for a client, and create its default departments',
    allow: 'ROLE_CLIENTS_ADMIN',
    provider: true,
    handle: async (c) => {
      const { id } = await c.engine.one(client, c.me, c.input.client)
      const created = await c.engine.inTenant(id, c.change(), async (unit) => {
        const statuses = await addProducts(unit, id, { code: 'employees' })
        const departments = await addDepartments(unit)
        return () => [
          ...statuses.map((one) => ({ '@id': iriOf(appStatus, one), '@type': appStatus.type, name: 'Employees' })),
          ...departments.map((one, n) => ({
            '@id': iriOf(department, one),
            '@type': department.type,
            name: DEFAULT_DEPARTMENTS[n],
          })),
        ]
      })
      const all = await listProductsForClient(c.engine, id)
      return { client: iriOf(client, id), product: all.find(({ code }) => code === 'employees') ?? null, created }
    },
  },
)

export const setup = feature({ routes: [setUpEmployees] })
