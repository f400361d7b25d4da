import type { TestApi, TestPortal } from './portal.ts'
import { expectSuccess } from './sign-offs.ts'

export const EQUIPMENT = {
  categories: '/api/safety/equipment_categories',
  items: '/api/safety/equipment_items',
  required: '/api/safety/required_checks',
  checks: '/api/safety/equipment_checks',
  handovers: '/api/safety/equipment_handovers',
  actions: '/api/safety/corrective_actions',
} as const

/** A company with an administrator, a person who manages the equipment, and an employee who holds items. */
export async function createEquipmentCompany(portal: TestPortal) {
  const client = await portal.client({ packs: ['safety'] })
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'], name: 'Ada Admin' }))
  const managerAccount = await client.user({ roles: ['ROLE_EQUIPMENT'], name: 'Emma Manager' })
  const manager = client.as(managerAccount)
  const holderAccount = await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Hal Holder' })
  const holder = client.as(holderAccount)
  const day = (days: number) =>
    portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().add({ days }).toString()
  const { '@id': holderIri } = expectSuccess(
    await admin.post('/api/employees/employees', {
      forename: 'Hal',
      surname: 'Holder',
      extCStartDate: day(-1000),
      user: holderAccount.iri,
    }),
  )
  const { 'hydra:member': categories } = expectSuccess(await manager.get(`${EQUIPMENT.categories}?pagination=false`))
  const category = (name: string): string =>
    categories.find((one: { name: string }) => one.name.startsWith(name))?.['@id'] ?? ''
  let count = 0
  const item = async (values: Record<string, unknown> = {}) =>
    expectSuccess(await manager.post(EQUIPMENT.items, { name: `Item ${++count}`, purchasedOn: day(-400), ...values }))
  const require = async (of: { readonly '@id': string }, values: Record<string, unknown> = {}) =>
    expectSuccess(
      await manager.post(EQUIPMENT.required, {
        item: of['@id'],
        name: 'Inspection',
        every: 6,
        unit: 'months',
        startsOn: day(0),
        ...values,
      }),
    )
  /** Sends a check: passed today by the manager, unless stated. */
  const check = (of: { readonly '@id': string }, values: Record<string, unknown> = {}, who: TestApi = manager) =>
    who.post(EQUIPMENT.checks, { item: of['@id'], checkedOn: day(0), result: 'passed', ...values })
  const fitnessOf = async (of: { readonly '@id': string }): Promise<string> =>
    expectSuccess(await manager.get(of['@id'])).fitness
  return {
    client,
    admin,
    manager,
    managerAccount,
    holder,
    holderAccount,
    holderIri,
    day,
    category,
    item,
    require,
    check,
    fitnessOf,
  }
}
