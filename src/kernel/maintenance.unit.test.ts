import { expect, test } from 'vitest'
import { canUseDuringMaintenance } from './maintenance.ts'

const person = (clientId: number, ...roles: string[]) => ({
  userId: 1,
  clientId,
  username: 'x',
  name: 'X',
  roles,
  scopes: [],
})

test('only administrators of the provider can use the portal during maintenance', () => {
  expect(canUseDuringMaintenance(person(0, 'ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'))).toBe(true)
  const visiting = { ...person(0, 'ROLE_USER_ADMIN'), original: person(0) }
  for (const other of [undefined, person(0, 'ROLE_STAFF'), person(7, 'ROLE_CLIENT_ADMIN'), visiting])
    expect(canUseDuringMaintenance(other)).toBe(false)
})
