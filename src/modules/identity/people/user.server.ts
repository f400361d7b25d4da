import { problem, violation } from '#kernel/errors.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { type Actor, hasRole, PERMISSION_SCOPES, PROVIDER } from '#kernel/roles.ts'
import { client } from '#modules/portal/clients/client.ts'
import { requireAccessProof } from '#server/auth/proof.ts'
import { type CredentialChange, revokeFormerAccess } from '#server/auth/ways-in.ts'
import { readActorNow } from '#server/engine/actor-now.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { overClients } from '#server/engine/tenant.ts'
import type { Context } from '#server/engine/types.ts'
import { role } from '../roles/role.ts'

import { isFirstAdministratorChange } from './first-administrator.server.ts'

import { notifyEmailChange } from './told.server.ts'
import { securityUser, user } from './user.ts'
import { assertUsernameFree } from './username.server.ts'

/** Fields that hold rights, and those that identify a user. */
const RIGHTS = ['roles', 'scopes', 'isRetired', 'manager']
const REACHED_BY = ['username', 'email']

/**
 * Adds to the security log which fields of an account were changed, with the names of roles; no personal data except
 * the username.
 */
function logAccountChange(
  c: Pick<Context, 'security'>,
  username: string,
  changes: Readonly<Record<string, unknown>>,
  isNew: boolean,
): void {
  if (isNew) c.security('account', `${username}: created`)
  const told = (fields: readonly string[]) => fields.filter((name) => (isNew ? hasAny(changes[name]) : name in changes))
  const rights = told(RIGHTS).map((name) => words(name, changes[name]))
  if (rights.length) c.security('rights', `${username}: ${rights.join('; ')}`)
  const reachedBy = isNew ? [] : told(REACHED_BY)
  if (reachedBy.length) c.security('account', `${username}: ${reachedBy.join(', ')}`)
}

const hasAny = (value: unknown) => Array.isArray(value) && value.length > 0

function words(name: string, value: unknown): string {
  if (name === 'roles' && Array.isArray(value)) return `roles now ${value.join(' ') || 'none'}`
  if (name === 'isRetired') return value ? 'retired' : 'restored'
  return name
}

const refused = (message: string) => problem.invalid([violation('manager', message)])

/**
 * Refuses a manager from another client, and one who reports to the user. Locks the managers above, so that concurrent
 * changes can't create a cycle.
 */
async function checkManager(c: Context, person: number | undefined, manager: number): Promise<void> {
  if (manager === person) throw refused('A user can’t report to themselves')
  let above: number | null = manager
  while (above !== null) {
    const [next]: { manager: number | null; isRetired: boolean }[] = await c.lockAll(user, { id: above })
    if (!next) throw refused('Please choose somebody of the same company')
    if (above === manager && next.isRetired) throw refused('This user is retired')
    if (next.manager !== null && next.manager === person)
      throw refused('This user already reports to the person they would manage')
    above = next.manager
  }
}

/** True if the actor may manage accounts. At the provider this requires the user administrator role. */
export const managesUsers = (actor: Actor): boolean =>
  hasRole(actor, actor.clientId === PROVIDER ? 'ROLE_USER_ADMIN' : ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'])

/**
 * Checks roles to assign: they must exist; the provider's internal ones are for its own users, except the reseller
 * role, which the provider assigns to resellers' users.
 */
async function rolesOf(c: Context, wanted: readonly string[], held: readonly string[]): Promise<string[]> {
  const names = [...new Set(wanted)]
  const known = new Map((await c.find(role, { name: names })).map((r) => [r.name, r]))
  const reseller = c.actor.clientId === PROVIDER && (await c.get(client, c.clientId))?.isReseller
  const abroad = (name: string) => c.clientId !== PROVIDER && !(reseller && name === 'ROLE_RESELLER')
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

/** Throws unless the provider assigns scopes that exist. */
function checkScopes(actor: Actor, isNew: boolean, scopes: unknown): void {
  const given: readonly unknown[] = Array.isArray(scopes) ? scopes : [scopes]
  if (isNew && !given.length) return
  if (actor.clientId !== PROVIDER) throw problem.forbidden('Only the provider can assign scopes.')
  const unknown = given.filter((name) => !PERMISSION_SCOPES.some(({ value }) => value === name))
  if (unknown.length)
    throw problem.invalid([violation('scopes', `There is no such scope: ${unknown.join(', ')}`, 'not_an_option')])
}

/** Throws 409 if a company would remove its own last administrator: nobody could manage its accounts. */
async function mustLeaveAnAdministrator(
  c: Context,
  before: RowOf<typeof user>,
  { roles, isRetired }: ValuesOf<typeof user>,
): Promise<void> {
  const administers = (held: readonly string[] | null | undefined) => held?.includes('ROLE_CLIENT_ADMIN') ?? false
  const goes = administers(before.roles) && !before.isRetired && (isRetired || (roles && !administers(roles)))
  if (!goes || c.actor.clientId !== c.clientId || c.clientId === PROVIDER) return
  const unit = c.withoutPermissionCheck('keep at least one administrator')
  // Locked, so that of two concurrent changes the second is refused.
  await unit.lock(client, c.clientId)
  const others = (await unit.find(user, { isRetired: false })).filter((u) => u.id !== before.id && administers(u.roles))
  if (!others.length)
    throw problem.conflict(
      `${before.name} is the company’s last administrator. Please make another user an administrator first.`,
    )
}

const NOT_A_VISITOR =
  'Only the client’s own administrators can add users or change usernames, e-mail addresses or roles. Leave the client first.'

/** Refuses changes during impersonation that would outlast it: new ways to sign in, or more rights. */
function refuseVisitor(actor: Actor, before: RowOf<typeof user> | undefined, changes: ValuesOf<typeof user>): void {
  if (!actor.original) return
  const lasting =
    ['username', 'email', 'roles', 'scopes'].some((name) => name in changes) || changes.isRetired === false
  if (!before || lasting) throw problem.forbidden(NOT_A_VISITOR)
}

/** Sign-in credentials affected by a change. */
const wayChanges = (changes: ValuesOf<typeof user>): CredentialChange[] => [
  ...(changes.isRetired !== undefined ? (['retirement'] as const) : []),
  ...(changes.email !== undefined ? (['email'] as const) : []),
  ...(changes.username !== undefined ? (['username'] as const) : []),
]

/** True if the user works leads, as defined in the database (0260). */
const worksLeads = ({ roles, isRetired }: ValuesOf<typeof user>) => !isRetired && (roles ?? []).includes('ROLE_STAFF')

/** Who takes over a user's leads is set when they stop working leads, and applies until somebody works leads again. */
function handedOver(before: RowOf<typeof user> | undefined, changes: ValuesOf<typeof user>): ValuesOf<typeof user> {
  if (worksLeads({ ...before, ...changes })) return { handTo: null, handToTeam: false }
  if (!before || worksLeads(before) || !('handTo' in changes || changes.handToTeam)) return {}
  throw problem.conflict(`${before.name} works no leads. Choose who takes them over when a user leaves.`)
}

const userBehaviour = behaviour(user, {
  beforeSave: async (c) => {
    const { changes, before } = c
    // Accounts and rights outlast a session: the current session and its current rights decide.
    const actor = await readActorNow(c)
    if (!managesUsers(actor) && !isFirstAdministratorChange(c, actor)) throw problem.forbidden()
    refuseVisitor(actor, before, changes)
    requireAccessProof(actor)
    if (before && before.id === actor.userId && changes.isRetired) throw problem.conflict('You can’t retire yourself.')
    if (before) await mustLeaveAnAdministrator(c, before, changes)
    if (changes.username !== undefined && changes.username.toLowerCase() !== before?.username.toLowerCase())
      await assertUsernameFree(c, before?.id, changes.username)
    if (typeof changes.manager === 'number') await checkManager(c, before?.id, changes.manager)
    if (changes.scopes !== undefined) checkScopes(actor, !before, changes.scopes)
    const roles = 'roles' in changes ? await rolesOf(c, changes.roles ?? [], before?.roles ?? []) : undefined
    return { ...handedOver(before, changes), ...(roles ? { roles } : {}) }
  },
  afterSave: async (c) => {
    const { before, changes } = c
    logAccountChange(c, before?.username ?? changes.username ?? '', changes, !before)
    const gone = wayChanges(changes)
    if (before && gone.length)
      await overClients(c, async (tx) => {
        for (const change of gone) await revokeFormerAccess(tx, { clientId: c.clientId, userId: before.id }, change)
      })
    // A mistyped address corrected before the first sign-in: only the new address is notified.
    const begins = before?.lastLoginAt === null && isFirstAdministratorChange(c, c.actor)
    if (before && changes.email !== undefined && !begins)
      await notifyEmailChange(c, before, before.email ?? '', changes.email ?? '')
  },
})

export const people = feature({
  resources: [user, securityUser],
  behaviours: [userBehaviour],
  seeds: () => import('./demo.server.ts'),
})
