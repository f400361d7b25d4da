import { problem } from '#kernel/errors.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { type Actor, authorOf } from '#kernel/roles.ts'
import { assertMatchesAccount, findAccountRecord } from '#modules/identity/people/accounts.server.ts'
import { user } from '#modules/identity/people/user.ts'
import { client } from '#modules/portal/clients/client.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { staff, staffAccount } from './staff.ts'
import { formatTrayStaffName } from './trays.ts'

/** A user, as identified in the audit trail. */
type Person = Pick<Actor, 'userId' | 'clientId' | 'username' | 'name'>

/** IDs of committed staff records, by user ID. They can be cached because a record's user never changes. */
const committed = new WeakMap<Engine, Map<number, number>>()

/**
 * Returns the ID of the current user's staff record or, during impersonation, of the impersonating user's. Creates the
 * record if it is missing, because staff join when they first sign in. Returns `undefined` for users of other clients,
 * for the portal itself and for people who use a link.
 */
export async function ensureStaffRecordId(c: Context, who: Person = authorOf(c.actor)): Promise<number | undefined> {
  const { userId } = who
  if (who.clientId !== c.clientId || !userId) return undefined
  return committed.get(c.engine)?.get(userId) ?? c.once(`staff record of user ${userId}`, () => findOrMakeStaff(c, who))
}

async function findOrMakeStaff(c: Context, { userId, username, name }: Person): Promise<number> {
  const found = await findAccountRecord(c, staffAccount, userId)
  if (found) {
    committed.set(c.engine, (committed.get(c.engine) ?? new Map()).set(userId, found.id))
    return found.id
  }
  const right = c.withoutPermissionCheck('create the staff record of a signed-in user')
  // If a user's first two requests arrive simultaneously, one creates the record and the other finds it.
  await right.lock(user, userId)
  const theirs = await findAccountRecord(c, staffAccount, userId)
  if (theirs) return theirs.id
  const values = { username: await freeName(c, username), name, user: userId }
  return (await (await right.create(staff, values)).saved()).id
}

/** Returns the ID of the tray's staff record, and creates the record if it is missing. */
export async function ensureTrayId(c: Context, username: string): Promise<number> {
  const [known] = await c.find(staff, { username, tray: true })
  if (known) return known.id
  const right = c.withoutPermissionCheck('create a tray for leads')
  await right.lock(client, c.clientId)
  const [theirs] = await c.find(staff, { username, tray: true })
  if (theirs) return theirs.id
  const values = { username: await freeName(c, username), name: formatTrayStaffName(username), tray: true }
  return (await (await right.create(staff, values)).saved()).id
}

/** Returns the name or, if it is taken, the name with a number, such as `jane-2`. */
async function freeName(c: Context, wanted: string): Promise<string> {
  const taken = new Set((await c.find(staff, {})).map((s) => s.username.toLowerCase()))
  let name = wanted
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${wanted}-${n}`
  return name
}

/** Throws 409 if a change would rename or retire a tray. */
function checkTray(before: RowOf<typeof staff>, changes: ValuesOf<typeof staff>): void {
  const isNamed = (['username', 'name'] as const).some((k) => changes[k] !== undefined && changes[k] !== before[k])
  if (before.tray && (isNamed || changes.retired))
    throw problem.conflict('The portal uses this tray, so it can’t be renamed or retired.')
}

/** Returns the account of a member of staff, which identifies the person to whom the staff record belongs. */
const accountOf = (c: Context, id: number) =>
  c.withoutPermissionCheck('read the account of a member of staff').get(user, id)

/**
 * Returns the values for the person who takes over the leads. Users can choose this person only when they retire a
 * member of staff; throws 409 if they choose later. The choice is cleared when the member of staff returns. The
 * database hands over the leads (migration 0260).
 */
function handedOver(before: RowOf<typeof staff> | undefined, changes: ValuesOf<typeof staff>): ValuesOf<typeof staff> {
  if (!before || !(changes.retired ?? before.retired)) return { handTo: null, handToTeam: false }
  if (!before.retired || !('handTo' in changes || changes.handToTeam)) return {}
  throw problem.conflict(
    `${before.name} is already retired. You can choose who takes over the leads only when you retire a member of staff.`,
  )
}

export const staffBehaviour = behaviour(staff, {
  beforeSave: async (c) => {
    const { before, changes } = c
    if (before) {
      checkTray(before, changes)
      assertMatchesAccount(staffAccount, before, changes)
    }
    const said = handedOver(before, changes)
    const account = typeof changes.user === 'number' && (await accountOf(c, changes.user))
    if (account)
      return { ...said, name: account.name, username: before ? await freeName(c, account.username) : changes.username }
    if (before || changes.tray || !changes.username) return said
    // A record that is created for a username belongs to the user with that name. From then on, the user is identified
    // by ID instead of by name.
    const right = c.withoutPermissionCheck('find the account of a new member of staff')
    const [person] = await right.find(user, { username: changes.username })
    return person && !(await findAccountRecord(c, staffAccount, person.id)) ? { user: person.id } : undefined
  },
})
