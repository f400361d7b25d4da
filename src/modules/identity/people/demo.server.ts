import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { setPassword } from '#server/auth/credentials.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { user } from './user.ts'

const PASSWORD = 'Portal-demo-2026'

interface Person {
  readonly clientId: number
  readonly username: string
  readonly name: string
  readonly roles: readonly string[]
  /** True if demo visitors can sign in as this person. */
  readonly signsIn?: true
}

const MANAGER = [
  'ROLE_STAFF',
  'ROLE_USER_ADMIN',
  'ROLE_ROLES_ADMIN',
  'ROLE_CLIENTS_ADMIN',
  'ROLE_LEADS_ADMIN',
  'ROLE_SAFETY_ADMIN',
  'ROLE_MAIL_ADMIN',
  'ROLE_BILLING_ADMIN',
  'ROLE_FINANCE',
  'ROLE_SALES_ADMIN',
]
const BUILDER = ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED']

/** People of the demo world. */
export const DEMO_PEOPLE: readonly Person[] = [
  { clientId: PROVIDER_CLIENT_ID, username: 'staff', name: 'Sam Taylor', roles: ['ROLE_STAFF'], signsIn: true },
  { clientId: PROVIDER_CLIENT_ID, username: 'manager', name: 'Maya Campbell', roles: MANAGER, signsIn: true },
  {
    clientId: 1,
    username: 'admin.brick',
    name: 'Priya Shah',
    roles: [...BUILDER, 'ROLE_INCIDENT_READER', 'ROLE_HR_PRIVATE'],
    signsIn: true,
  },
  { clientId: 1, username: 'worker.brick', name: 'Callum Fraser', roles: ['ROLE_EMPLOYEE'], signsIn: true },
  { clientId: 2, username: 'admin.care', name: 'Joanna Hughes', roles: ['ROLE_CLIENT_ADMIN'], signsIn: true },
  { clientId: 4, username: 'reseller.north', name: 'Grace Walker', roles: ['ROLE_RESELLER'], signsIn: true },
  { clientId: PROVIDER_CLIENT_ID, username: 'alan.barker', name: 'Alan Barker', roles: ['ROLE_STAFF'] },
  { clientId: PROVIDER_CLIENT_ID, username: 'nasreen.iqbal', name: 'Nasreen Iqbal', roles: ['ROLE_STAFF'] },
  { clientId: 1, username: 'liam.young', name: 'Liam Young', roles: ['ROLE_EMPLOYEE'] },
  { clientId: 2, username: 'carys.ellis', name: 'Carys Ellis', roles: ['ROLE_EMPLOYEE'] },
  { clientId: 3, username: 'tomasz.nowak', name: 'Tomasz Nowak', roles: ['ROLE_CLIENT_ADMIN'] },
  { clientId: 1, username: 'approver.brick', name: 'Rhys Ellis', roles: ['ROLE_CLIENT_ADMIN'], signsIn: true },
  {
    clientId: 1,
    username: 'office.brick',
    name: 'Dawn Shaw',
    roles: ['ROLE_EMPLOYEE', 'ROLE_INVOICING', 'ROLE_INVOICING_FINANCE'],
    signsIn: true,
  },
  { clientId: 1, username: 'nadia.rahman', name: 'Nadia Rahman', roles: ['ROLE_EMPLOYEE'] },
  { clientId: 1, username: 'owen.price', name: 'Owen Price', roles: ['ROLE_EMPLOYEE'] },
  { clientId: 1, username: 'ewa.kowalska', name: 'Ewa Kowalska', roles: ['ROLE_EMPLOYEE'] },
  // A second person in finance, who approves what the manager may not decide alone.
  {
    clientId: PROVIDER_CLIENT_ID,
    username: 'finance',
    name: 'Helen Marsh',
    roles: ['ROLE_STAFF', 'ROLE_FINANCE'],
    signsIn: true,
  },
]

/** Seeds the users of the provider, its clients and its resellers, including the public demo accounts. */
const peoplePart: DemoDataPart = {
  name: 'people',
  needs: ['clients'],
  tell: async (engine) => {
    for (const [i, { clientId, username, name, roles, signsIn }] of DEMO_PEOPLE.entries()) {
      const reached = { email: `${username}@portal.example`, telephone: `01632 9602${String(i).padStart(2, '0')}` }
      const userId = await seedAsUser(engine, { clientId }, async (c) => {
        const made = await c
          .withoutPermissionCheck('create demo users')
          .create(user, { username, name, ...reached, roles: [...roles] })
        return (await made.saved()).id
      })
      if (signsIn)
        await engine.db.tx('system', (tx) => setPassword(tx, { clientId, userId }, PASSWORD, [], { demo: true }))
    }
  },
}

export const seeds = [peoplePart]
