import { problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { type Actor, hasRole, PROVIDER } from '#kernel/roles.ts'
import { client } from '#modules/portal/clients/client.ts'
import type { Work } from '#server/data/writing/work.ts'
import { readActorNow } from '#server/engine/actor-now.ts'
import type { Context, Reader } from '#server/engine/types.ts'
import { user } from './user.ts'

const ADMIN = 'ROLE_CLIENT_ADMIN'
const WHY = 'set up a client with its first administrator'

type Person = RowOf<typeof user>

/** Roles that set up clients: those that create clients, and user administrators. */
export const CLIENT_SETUP_ROLES = ['ROLE_CLIENTS_ADMIN', 'ROLE_USER_ADMIN'] as const

/** Details of the administrator to create. */
interface Said {
  readonly name?: string
  readonly username?: string
  readonly email?: string
}

/** Transactions that create or correct a first administrator, and change no other account. */
const settingUp = new WeakSet<Work>()

/** True for the one account that whoever sets up a client may write without being a user administrator. */
export const isFirstAdministratorChange = (c: Context, actor: Actor): boolean =>
  settingUp.has(c.work) && mayBegin(actor) && c.clientId !== PROVIDER

const mayBegin = (actor: Actor) => actor.clientId === PROVIDER && !actor.original && hasRole(actor, CLIENT_SETUP_ROLES)

/** The client's first active administrator. */
export const findAdministrator = async (c: Reader): Promise<Person | undefined> =>
  (await c.find(user, { isRetired: false })).find((one) => one.roles.includes(ADMIN))

/**
 * Returns the client's administrator, or creates one from the given details or the client's contact. Until a user of
 * the client has signed in, whoever sets it up may do so and correct the details; afterwards this requires a user
 * administrator. Runs behind the client's lock: of two concurrent calls the second finds the first one's administrator.
 */
export async function setUpAdministrator(c: Context, said: Said): Promise<void> {
  const { contactname, contactemail } = await c.lock(client, c.clientId)
  const actor = await readActorNow(c)
  if (!mayBegin(actor)) throw problem.forbidden()
  const there = await findAdministrator(c)
  const correction = there && there.lastLoginAt === null ? corrected(there, said) : {}
  if (there && !Object.keys(correction).length) return
  if (!hasRole(actor, 'ROLE_USER_ADMIN')) await mustBeBeginning(c)
  const right = c.withoutPermissionCheck(WHY)
  settingUp.add(c.work)
  try {
    if (there) await right.change(user, there, correction)
    else await right.create(user, madeOf(c, said, { name: contactname, email: contactemail }))
  } finally {
    settingUp.delete(c.work)
  }
}

function madeOf(c: Context, said: Said, contact: { readonly name: string; readonly email: string }) {
  const email = said.email || contact.email
  if (!email) throw problem.invalid([violation('email', 'Please enter the administrator’s e-mail address')])
  return {
    name: said.name || contact.name || 'Administrator',
    username: said.username || `admin.${c.clientId}`,
    email,
    roles: [ADMIN],
  }
}

/** Given details that differ from the stored ones. */
const corrected = (there: Person, said: Said): Said =>
  Object.fromEntries(
    (['name', 'username', 'email'] as const).flatMap((name) => {
      const value = said[name]
      return value && value !== there[name] ? [[name, value] as const] : []
    }),
  )

/**
 * Throws once a user of the client has signed in: from then on only the client and user administrators manage its
 * accounts.
 */
async function mustBeBeginning(c: Context): Promise<void> {
  if ((await c.find(user, {})).some((one) => one.lastLoginAt !== null))
    throw problem.forbidden(
      'Users of this client have already signed in. Their own administrators or a user administrator can add another administrator.',
    )
}
