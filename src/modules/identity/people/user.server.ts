import { problem, violation } from '#kernel/errors.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import {
  type Actor,
  authorOf,
  hasRole,
  PERMISSION_SCOPES,
  PROVIDER_CLIENT_ID,
  parsePermissionScopes,
} from '#kernel/roles.ts'
import { toSearchForm } from '#kernel/text/search.ts'
import { client } from '#modules/portal/clients/client.ts'
import { findUsernameOwner, lockUsername } from '#server/auth/accounts.ts'
import { type AttemptLimit, countAttempt, GuessRevealingProblem, requireAttemptLeft } from '#server/auth/attempts.ts'
import { requireAccessProof } from '#server/auth/proof.ts'
import type { TransactionWrites } from '#server/data/writing/work.ts'
import { readCurrentActor } from '#server/engine/actor-now.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { readAcrossClients } from '#server/engine/tenant.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { role } from '../roles/role.ts'
import {
  accountEmails,
  applyWaitingChanges,
  delayProtectedChanges,
  followUpChange,
  logAccountChange,
  notifyOfWaitingChanges,
  waitingChangeActions,
  waitingNotification,
} from './account-changes.server.ts'
import { canManageUsers, refuseOwnGrant } from './accounts.server.ts'
import { securityUser, user } from './user.ts'

const ADMIN = 'ROLE_CLIENT_ADMIN'
const CLIENT_SETUP_REASON = 'set up a client with its first administrator'

type Person = RowOf<typeof user>

/** Roles that allow users of the provider to set up clients. */
export const CLIENT_SETUP_ROLES = ['ROLE_CLIENTS_ADMIN', 'ROLE_USER_ADMIN'] as const

/** Details of the administrator to create or correct. */
interface AdministratorInput {
  readonly name?: string
  readonly username?: string
  readonly email?: string
}

/** Transactions that create or correct a client's first administrator. Such a transaction changes no other account. */
const settingUp = new WeakSet<TransactionWrites>()
/** Transactions that are creating the account of an employee. */
const addingEmployee = new WeakSet<TransactionWrites>()

/**
 * Returns true if the change creates or corrects a client's first administrator and the actor may set up clients. The
 * user administrator role is not required.
 */
const isFirstAdministratorChange = (c: Context, actor: Actor): boolean =>
  settingUp.has(c.work) && mayBegin(actor) && c.clientId !== PROVIDER_CLIENT_ID

const mayBegin = (actor: Actor) =>
  actor.clientId === PROVIDER_CLIENT_ID && !actor.original && hasRole(actor, CLIENT_SETUP_ROLES)

/** Finds an active administrator of the client, if there is one. */
export const findAdministrator = async (c: RecordReader): Promise<Person | undefined> =>
  (await c.find(user, { isRetired: false })).find((one) => one.roles.includes(ADMIN))

/**
 * Creates the client's administrator from the given details or the client's contact, or corrects the details of one who
 * has never signed in. Until a user of the client has signed in, anyone who may set up clients can do this; afterwards
 * only a user administrator can. Locks the client, so that concurrent calls don't create two administrators.
 */
export async function setUpAdministrator(c: Context, said: AdministratorInput): Promise<void> {
  const { contactname, contactemail } = await c.lock(client, c.clientId)
  const actor = await readCurrentActor(c)
  if (!mayBegin(actor)) throw problem.forbidden()
  const there = await findAdministrator(c)
  const correction = there && there.lastLoginAt === null ? corrected(there, said) : {}
  if (there && !Object.keys(correction).length) return
  // Later, a user administrator may do it too, but the administrator's role then waits.
  const isBeginning = await isNobodySignedIn(c)
  if (!isBeginning && !hasRole(actor, 'ROLE_USER_ADMIN'))
    throw problem.forbidden(
      'Users of this client have already signed in. The client’s own administrators, or a user administrator, can add another administrator.',
    )
  const right = c.withoutPermissionCheck(CLIENT_SETUP_REASON)
  if (isBeginning) settingUp.add(c.work)
  try {
    if (there) await right.change(user, there, correction)
    else await right.create(user, madeOf(c, said, { name: contactname, email: contactemail }))
  } finally {
    settingUp.delete(c.work)
  }
}

function madeOf(c: Context, said: AdministratorInput, contact: { readonly name: string; readonly email: string }) {
  const email = said.email || contact.email
  if (!email) throw problem.invalid([violation('email', 'Please enter the administrator’s e-mail address')])
  return {
    name: said.name || contact.name || 'Administrator',
    username: said.username || `admin.${c.clientId}`,
    email,
    roles: [ADMIN],
  }
}

/** Returns the given details that are not blank and differ from the stored ones. */
const corrected = (there: Person, said: AdministratorInput): AdministratorInput =>
  Object.fromEntries(
    (['name', 'username', 'email'] as const).flatMap((name) => {
      const value = said[name]
      return value && value !== there[name] ? [[name, value] as const] : []
    }),
  )

/** Returns whether no user of the client has ever signed in. */
const isNobodySignedIn = async (c: Context): Promise<boolean> =>
  (await c.find(user, {})).every((one) => one.lastLoginAt === null)

const { max: LONGEST = 0, pattern } = user.fields.username
/** Maximum length of a username that the portal creates, in characters, without the number at its end. */
const MAX_CREATED_USERNAME = 40
export const EMPLOYEE_ROLE = 'ROLE_EMPLOYEE'

/**
 * Limit on a client's attempts to choose a username that belongs to the provider. Each refusal reveals such a username.
 */
const COME_UPON: AttemptLimit = { free: 10, most: 10, minutes: 60 }

/** Returns true if the text is a valid username. */
export const isUsername = (name: string): boolean => name.length <= LONGEST && !!pattern?.regex.test(name)

/**
 * Throws 422 if another user of the client has or had the username, which identifies the user in documents and
 * signatures. A client also can't use the provider's usernames, nor the provider a client's: both occur in every
 * client's records and must be unambiguous.
 */
async function assertUsernameFree(c: Context, id: number | undefined, username: string): Promise<void> {
  if (!isUsername(username)) return
  const tried = { key: `usernames:${c.actor.clientId}`, pace: COME_UPON }
  const isClients = c.actor.clientId !== PROVIDER_CLIENT_ID
  const holder = await readAcrossClients(c, async (tx) => {
    if (isClients) await requireAttemptLeft(tx, tried)
    await lockUsername(tx, username)
    return findUsernameOwner(tx, username, { clientId: c.clientId, userId: id })
  })
  if (!holder) return
  const refusal = problem.invalid([
    violation('username', 'This username is already taken. Please choose another', 'duplicate'),
  ])
  throw isClients && holder === 'other' ? new GuessRevealingProblem(refusal, tried) : refusal
}

/**
 * Returns a username made of a person's name, with a number if it is taken. Counts each username of the provider that
 * it passes, because the number reveals it; throws 429 after too many.
 */
async function chooseUsername(c: Context, name: string): Promise<string> {
  const words = toSearchForm(name)
    .replace(/[^a-z0-9]+/g, '.')
    .replace(/^\.|\.$/g, '')
  const base = words.slice(0, MAX_CREATED_USERNAME) || 'employee'
  return readAcrossClients(c, async (tx) => {
    await lockUsername(tx, base)
    for (let n = 1; ; n++) {
      const username = n === 1 ? base : `${base}${n}`
      const holder = await findUsernameOwner(tx, username, { clientId: c.clientId, userId: undefined })
      if (!holder) return username
      if (holder === 'other') await countAttempt(tx, [{ key: `usernames:${c.clientId}`, pace: COME_UPON }])
    }
  })
}

/** Creates the account of an employee, with no other role. The caller checks the actor's rights. */
export async function createEmployeeAccount(
  c: Context,
  { name, email }: { readonly name: string; readonly email: string },
): Promise<Person> {
  const username = await chooseUsername(c, name)
  addingEmployee.add(c.work)
  try {
    const made = await c
      .withoutPermissionCheck('an employee gets an account')
      .create(user, { name, email, username, roles: [EMPLOYEE_ROLE] })
    return await made.saved()
  } finally {
    addingEmployee.delete(c.work)
  }
}

/**
 * Returns true if an account is only an employee's and has never signed in. Until then, the employee's record states
 * its e-mail address.
 */
export const isUnusedEmployeeAccount = ({ roles, waitingUntil, lastLoginAt }: Person): boolean =>
  lastLoginAt === null && waitingUntil === null && roles.every((role) => role === EMPLOYEE_ROLE)

/** Corrects the e-mail address of an account that has never signed in, which ends its links. */
export async function correctUnusedEmail(c: Context, account: Person, email: string): Promise<void> {
  await c.withoutPermissionCheck('the record of an employee states the address').set(user, account, { email }, 'update')
  await followUpChange(c, account, { email }, { isCorrection: true })
}

const refused = (message: string) => problem.invalid([violation('manager', message)])

/**
 * Throws 422 if the manager is the user, is retired, belongs to another client, or reports to the user. Locks the
 * manager and everybody above them; otherwise concurrent changes could create a cycle.
 */
async function checkManager(c: Context, person: number | undefined, manager: number): Promise<void> {
  if (manager === person) throw refused('Users can’t report to themselves')
  let above: number | null = manager
  while (above !== null) {
    const [next]: { manager: number | null; isRetired: boolean }[] = await c.lockAll(user, { id: above })
    if (!next) throw refused('Please choose somebody from the same company')
    if (above === manager && next.isRetired) throw refused('Please choose somebody who is not retired')
    if (next.manager !== null && next.manager === person)
      throw refused('Please choose somebody who does not report to this user')
    above = next.manager
  }
}

/**
 * Returns the roles to assign, without duplicates. Throws 422 if a role does not exist, or if the user doesn't already
 * hold it and it is retired or internal. Internal roles are for the provider's own users, except the reseller role,
 * which the provider assigns to resellers' users.
 */
async function rolesOf(c: Context, wanted: readonly string[], held: readonly string[]): Promise<string[]> {
  const names = [...new Set(wanted)]
  const known = new Map((await c.find(role, { name: names })).map((r) => [r.name, r]))
  const reseller = c.actor.clientId === PROVIDER_CLIENT_ID && (await c.get(client, c.clientId))?.isReseller
  const abroad = (name: string) => c.clientId !== PROVIDER_CLIENT_ID && !(reseller && name === 'ROLE_RESELLER')
  const wrong = names.filter((name) => {
    const r = known.get(name)
    return !r || (!held.includes(name) && (r.retired || (r.internal && abroad(name))))
  })
  if (wrong.length)
    throw problem.invalid([
      violation('roles', `These roles can’t be assigned here: ${wrong.join(', ')}`, 'not_an_option'),
    ])
  return names
}

/**
 * Throws 403 if the actor is not a provider user or would give themselves a scope, and 422 if a scope does not exist.
 * Does nothing for a new user without scopes.
 */
function checkScopes(actor: Actor, before: Person | undefined, scopes: unknown): void {
  const given: readonly unknown[] = Array.isArray(scopes) ? scopes : [scopes]
  if (!before && !given.length) return
  if (actor.clientId !== PROVIDER_CLIENT_ID) throw problem.forbidden('Only the provider can assign scopes.')
  const unknown = given.filter((name) => !PERMISSION_SCOPES.some(({ value }) => value === name))
  if (unknown.length)
    throw problem.invalid([violation('scopes', `There is no such scope: ${unknown.join(', ')}`, 'not_an_option')])
  const held = parsePermissionScopes(before?.scopes)
  if (
    before?.id === actor.userId &&
    before.client === actor.clientId &&
    !given.every((name) => held.includes(String(name)))
  )
    throw problem.forbidden('You can’t give yourself a scope. Ask another administrator to give it to you.')
}

/**
 * Throws 409 if a client's own user would remove the client's last administrator. Nobody at the client could manage its
 * accounts any more. Changes by the provider, and to the provider's own users, are not checked.
 */
async function mustLeaveAnAdministrator(
  c: Context,
  before: RowOf<typeof user>,
  { roles, isRetired }: ValuesOf<typeof user>,
): Promise<void> {
  const administers = (held: readonly string[] | null | undefined) => held?.includes('ROLE_CLIENT_ADMIN') ?? false
  const goes = administers(before.roles) && !before.isRetired && (isRetired || (roles && !administers(roles)))
  if (!goes || c.actor.clientId !== c.clientId || c.clientId === PROVIDER_CLIENT_ID) return
  const unit = c.withoutPermissionCheck('keep at least one administrator')
  // Locks the client, so that two concurrent changes can't each remove one of the last two administrators.
  await unit.lock(client, c.clientId)
  const others = (await unit.find(user, { isRetired: false })).filter((u) => u.id !== before.id && administers(u.roles))
  if (!others.length)
    throw problem.conflict(
      `${before.name} is the company’s last administrator. Please make another user an administrator first.`,
    )
}

/**
 * Retires the account of an employee who leaves, which ends its sessions and links. Throws 409 for the actor's own
 * account and for the company's last administrator.
 */
export async function retireAccountOfLeaver(c: Context, userId: number): Promise<void> {
  const right = c.withoutPermissionCheck('an employee who leaves can no longer sign in')
  const account = await right.lock(user, userId)
  if (account.isRetired) return
  if (userId === c.actor.userId) throw problem.conflict('You can’t retire yourself.')
  await mustLeaveAnAdministrator(c, account, { isRetired: true })
  await right.set(user, account, { isRetired: true, ...handedOver(account, { isRetired: true }) }, 'update')
  await followUpChange(c, account, { isRetired: true })
}

const NOT_A_VISITOR =
  'You can’t add or restore users, or change usernames, e-mail addresses or roles, while working as somebody else. Switch back to your own account first.'

/**
 * Throws 403 during impersonation if a change would give the impersonating user lasting access: new ways to sign in, or
 * more rights.
 */
function refuseVisitor(actor: Actor, before: RowOf<typeof user> | undefined, changes: ValuesOf<typeof user>): void {
  if (!actor.original) return
  const lasting =
    ['username', 'email', 'roles', 'scopes', 'manager', 'handTo', 'handToTeam'].some((name) => name in changes) ||
    changes.isRetired === false
  if (!before || lasting) throw problem.forbidden(NOT_A_VISITOR)
}

/**
 * Returns true if the user works on leads: an active user with the staff role. The database uses the same definition
 * (migration 0260).
 */
const worksLeads = ({ roles, isRetired }: ValuesOf<typeof user>) => !isRetired && (roles ?? []).includes('ROLE_STAFF')

/**
 * Returns cleared hand-over fields (`handTo`, `handToTeam`) if the user works on leads after the change. Throws 409 if
 * the change sets these fields for a user who didn't work on leads before it.
 */
function handedOver(before: RowOf<typeof user> | undefined, changes: ValuesOf<typeof user>): ValuesOf<typeof user> {
  if (worksLeads({ ...before, ...changes })) return { handTo: null, handToTeam: false }
  if (!before || worksLeads(before) || !('handTo' in changes || changes.handToTeam)) return {}
  throw problem.conflict(
    `${before.name} doesn’t work on leads, so there are no leads to take over. Please leave this field empty.`,
  )
}

const userBehaviour = behaviour(user, {
  beforeSave: async (c) => {
    const { changes, before, sent } = c
    // Checks the actor's current rights, not those cached with the session, because a change to an account or its
    // rights outlasts the session.
    const actor = await readCurrentActor(c)
    const isNewEmployee = !before && addingEmployee.has(c.work)
    if (!canManageUsers(actor) && !isFirstAdministratorChange(c, actor) && !isNewEmployee) throw problem.forbidden()
    refuseVisitor(actor, before, changes)
    requireAccessProof(actor)
    if (before && before.id === actor.userId && changes.isRetired) throw problem.conflict('You can’t retire yourself.')
    if (before) await mustLeaveAnAdministrator(c, before, changes)
    if (changes.username !== undefined && changes.username.toLowerCase() !== before?.username.toLowerCase())
      await assertUsernameFree(c, before?.id, changes.username)
    if (typeof changes.manager === 'number') await checkManager(c, before?.id, changes.manager)
    if (changes.scopes !== undefined) checkScopes(actor, before, changes.scopes)
    const roles = 'roles' in changes ? await rolesOf(c, changes.roles ?? [], before?.roles ?? []) : undefined
    if (before && roles) await refuseOwnGrant(c, actor, before, roles)
    const values = { ...changes, ...(roles ? { roles } : {}) }
    const waiting =
      actor.kind === 'system' || isFirstAdministratorChange(c, actor)
        ? {}
        : await delayProtectedChanges(c, actor, before, values, sent.includes('roles') && !actor.original)
    return { ...handedOver(before, { ...values, ...waiting }), ...(roles ? { roles } : {}), ...waiting }
  },
  afterSave: async (c) => {
    const { before, changes } = c
    const username = before?.username ?? changes.username ?? ''
    // Before the first sign-in, a corrected address is assumed to have been mistyped, so the old one is not notified.
    const isCorrection = before?.lastLoginAt === null && isFirstAdministratorChange(c, c.actor)
    if (before) await followUpChange(c, before, changes, { isCorrection })
    else logAccountChange(c, username, changes, true)
    if (!changes.waitingUntil) return
    c.security(
      'rights',
      `${username}: waiting: ${[...(changes.waitingRoles ?? []), changes.waitingEmail ? 'email' : ''].join(' ').trim()}`,
    )
    await notifyOfWaitingChanges(c, (await c.written.saved()).id, authorOf(c.actor).username)
  },
  actions: waitingChangeActions,
})

export const people = feature({
  resources: [user, securityUser],
  behaviours: [userBehaviour],
  emails: accountEmails,
  notifications: [waitingNotification],
  schedules: [applyWaitingChanges],
  seeds: () => import('./demo.server.ts'),
})
