import { expect, test } from 'vitest'
import { canUsePortalDuringMaintenance } from './maintenance.ts'

const person = (clientId: number, ...roles: string[]) => ({
  userId: 1,
  clientId,
  username: 'x',
  name: 'X',
  roles,
  scopes: [],
})

test("only the provider's administrators can use the portal during maintenance", () => {
  expect(canUsePortalDuringMaintenance(person(0, 'ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'))).toBe(true)
  const visiting = { ...person(0, 'ROLE_USER_ADMIN'), original: person(0) }
  for (const other of [undefined, person(0, 'ROLE_STAFF'), person(7, 'ROLE_CLIENT_ADMIN'), visiting])
    expect(canUsePortalDuringMaintenance(other)).toBe(false)
})
