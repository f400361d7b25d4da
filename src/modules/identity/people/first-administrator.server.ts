import { problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { type Actor, hasRole, PROVIDER } from '#kernel/roles.ts'
import { client } from '#modules/portal/clients/client.ts'
import type { Work } from '#server/data/writing/work.ts'
import { readActorNow } from '#server/engine/actor-now.ts'
import type { Context, Reader } from '#server/engine/types.ts'
import { user } from './user.ts'

const ADMIN = 'ROLE_CLIENT_ADMIN'
const WHY = 'a client is set up with its first administrator'

type Person = RowOf<typeof user>

/** Who sets a client up: who makes clients, and who looks after accounts anyway. */
export const SETS_UP = ['ROLE_CLIENTS_ADMIN', 'ROLE_USER_ADMIN'] as const

/** What is known of the administrator who is to be made. */
interface Said {
  readonly name?: string
  readonly username?: string
  readonly email?: string
}

/** Transactions that make or correct a first administrator, and nothing else of anybody's account. */
const settingUp = new WeakSet<Work>()

/** Is this the one account that whoever sets a client up may write, though they look after no others? */
export const isFirstAdministrator = (c: Context, actor: Actor): boolean =>
  settingUp.has(c.work) && mayBegin(actor) && c.clientId !== PROVIDER

const mayBegin = (actor: Actor) => actor.clientId === PROVIDER && !actor.original && hasRole(actor, SETS_UP)

/** The client's administrator who is not retired: the first, where there are several. */
export const administratorOf = async (c: Reader): Promise<Person | undefined> =>
  (await c.find(user, { isRetired: false })).find((one) => one.roles.includes(ADMIN))

/**
 * The client's administrator: the one that there is, or one made of what is said, or of the client's contact. Until somebody of the client
 * has signed in, that is the right of whoever sets it up, and what was mistyped can be said again; from then on it takes the right to look
 * after accounts. Behind the lock of the client's row: of two at once, the second finds what the first has made.
 */
export async function setUpAdministrator(c: Context, said: Said): Promise<void> {
  const { contactname, contactemail } = await c.lock(client, c.clientId)
  const actor = await readActorNow(c)
  if (!mayBegin(actor)) throw problem.forbidden()
  const there = await administratorOf(c)
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
  if (!email) throw problem.invalid([violation('email', 'Please give the administrator’s e-mail address')])
  return {
    name: said.name || contact.name || 'Administrator',
    username: said.username || `admin.${c.clientId}`,
    email,
    roles: [ADMIN],
  }
}

/** What is said of somebody otherwise than it stands. */
const corrected = (there: Person, said: Said): Said =>
  Object.fromEntries(
    (['name', 'username', 'email'] as const).flatMap((name) => {
      const value = said[name]
      return value && value !== there[name] ? [[name, value] as const] : []
    }),
  )

/** Throws once somebody of the client has signed in: their accounts are theirs from then on, and their user administrators'. */
async function mustBeBeginning(c: Context): Promise<void> {
  if ((await c.find(user, {})).some((one) => one.lastLoginAt !== null))
    throw problem.forbidden(
      'People of this client have signed in already. Another administrator is made by their own, or by a user administrator.',
    )
}
