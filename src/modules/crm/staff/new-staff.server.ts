import { flag } from '#kernel/fields.ts'
import { iriOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { inviteNewUser } from '#modules/identity/passwords/first-login.server.ts'
import { findAccountRecord } from '#modules/identity/people/accounts.server.ts'
import { user } from '#modules/identity/people/user.ts'
import { feature } from '#server/engine/module.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { NEW_STAFF_URL } from './new-staff.ts'
import { staffBehaviour } from './staff.server.ts'
import { staff, staffAccount } from './staff.ts'

const { username, name, email, telephone, roles } = user.fields
const { callsPerDay } = staff.fields

/**
 * Route that creates a member of the provider's staff in one transaction: account, staff record, roles, daily call
 * target and login details.
 */
const createStaffRoute = routeWithInput(
  { username, name, email, telephone, roles, callsPerDay, invite: flag({ default: false }) },
  {
    method: 'POST',
    path: NEW_STAFF_URL,
    title:
      'Create a member of staff, with an account, a staff record, roles and a daily call target. With `invite`, a link to choose a password is sent',
    allow: 'ROLE_USER_ADMIN',
    provider: true,
    handle: (c) => {
      const { input } = c
      return c.engine.inTenant(PROVIDER_CLIENT_ID, { ...c.change(), resource: user }, async (unit) => {
        const made = await unit.create(user, {
          username: input.username,
          name: input.name,
          email: input.email,
          telephone: input.telephone,
          roles: [...new Set([staffAccount.role, ...(input.roles ?? [])])],
        })
        const person = await made.saved()
        const right = unit.withoutPermissionCheck('set the daily call target of a new member of staff')
        // A database trigger creates the staff record together with the account (migration 0196).
        const record = await findAccountRecord(right, staffAccount, person.id)
        if (!record) throw new Error(`The account ${person.id} has no staff record`)
        const { email, telephone } = person
        await right.change(staff, record, { callsPerDay: input.callsPerDay, email, telephone })
        if (input.invite) await inviteNewUser(unit, person)
        return async () => ({
          '@id': iriOf(staff, record.id),
          '@type': staff.type,
          id: record.id,
          username: record.username,
          name: record.name,
          callsPerDay: input.callsPerDay,
          user: iriOf(user, person.id),
          roles: person.roles,
        })
      })
    },
  },
)

export const staffFeature = feature({
  resources: [staff],
  behaviours: [staffBehaviour],
  routes: [createStaffRoute],
})
