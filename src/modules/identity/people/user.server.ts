import { problem, violation } from '#kernel/errors.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { type Actor, hasRole, PROVIDER, SCOPES } from '#kernel/roles.ts'
import { client } from '#modules/portal/clients/client.ts'
import { requireProof } from '#server/auth/proof.ts'
import { endWaysIn, type WayChange } from '#server/auth/ways-in.ts'
import { readActorNow } from '#server/engine/actor-now.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { overClients } from '#server/engine/tenant.ts'
import type { Context } from '#server/engine/types.ts'
import { role } from '../roles/role.ts'

import { isFirstAdministrator } from './first-administrator.server.ts'

import { tellOfEmail } from './told.server.ts'
import { securityUser, user } from './user.ts'
import { checkUsername } from './username.server.ts'

/** Fields that say what somebody may do, and those by which they are known and reached. */
const RIGHTS = ['roles', 'scopes', 'isRetired', 'manager']
const REACHED_BY = ['username', 'email']

/**
 * Tells the security log which fields of somebody's account were changed, and the names of the roles; nothing personal but
 * the username.
 */
function noteAccount(
  c: Pick<Context, 'security'>,
  username: string,
  changes: Readonly<Record<string, unknown>>,
  isNew: boolean,
): void {
  if (isNew) c.security('account', `${username}: made`)
  const told = (fields: readonly string[]) => fields.filter((name) => (isNew ? hasAny(changes[name]) : name in changes))
  const rights = told(RIGHTS).map((name) => words(name, changes[name]))
  if (rights.length) c.security('rights', `${username}: ${rights.join('; ')}`)
  const reachedBy = isNew ? [] : told(REACHED_BY)
  if (reachedBy.length) c.security('account', `${username}: ${reachedBy.join(', ')}`)
}

const hasAny = (value: unknown) => Array.isArray(value) && value.length > 0

function words(name: string, value: unknown): string {
  if (name === 'roles' && Array.isArray(value)) return `roles now ${value.join(' ') || 'none'}`
  if (name === 'isRetired') return value ? 'retired' : 'brought back'
  return name
}

const refused = (message: string) => problem.invalid([violation('manager', message)])

/**
 * Refuses a manager who is not one of the client's people, and one who reports to the person themselves. Those above stay
 * locked, so that two changes at once make no circle either.
 */
async function checkManager(c: Context, person: number | undefined, manager: number): Promise<void> {
  if (manager === person) throw refused('Nobody reports to themselves')
  let above: number | null = manager
  while (above !== null) {
    const [next]: { manager: number | null; isRetired: boolean }[] = await c.lockAll(user, { id: above })
    if (!next) throw refused('Please choose somebody of the same company')
    if (above === manager && next.isRetired) throw refused('This person is retired')
    if (next.manager !== null && next.manager === person)
      throw refused('This person reports to the one whose manager they would be')
    above = next.manager
  }
}

/** May this actor look after other people's accounts? At the provider that takes more than being a client's administrator. */
export const keepsUsers = (actor: Actor): boolean =>
  hasRole(actor, actor.clientId === PROVIDER ? 'ROLE_USER_ADMIN' : ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'])

/**
 * Roles are given from the list of roles; the provider's internal ones to the provider's people only, but for a reseller's,
 * which the provider gives to the people of a reseller.
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
    throw problem.invalid([violation('roles', `These can't be given here: ${wrong.join(', ')}`, 'not_an_option')])
  return names
}

/** Scopes are the provider's to give and to take, from the list of them. Throws for others. */
function checkScopes(actor: Actor, isNew: boolean, scopes: unknown): void {
  const given: readonly unknown[] = Array.isArray(scopes) ? scopes : [scopes]
  if (isNew && !given.length) return
  if (actor.clientId !== PROVIDER) throw problem.forbidden('Scopes are for the provider to give.')
  const unknown = given.filter((name) => !SCOPES.some(({ value }) => value === name))
  if (unknown.length)
    throw problem.invalid([violation('scopes', `There is no such scope: ${unknown.join(', ')}`, 'not_an_option')])
}

/** Throws 409 where a company’s own people would take its last administrator away: nobody could look after its accounts. */
async function mustLeaveAnAdministrator(
  c: Context,
  before: RowOf<typeof user>,
  { roles, isRetired }: ValuesOf<typeof user>,
): Promise<void> {
  const administers = (held: readonly string[] | null | undefined) => held?.includes('ROLE_CLIENT_ADMIN') ?? false
  const goes = administers(before.roles) && !before.isRetired && (isRetired || (roles && !administers(roles)))
  if (!goes || c.actor.clientId !== c.clientId || c.clientId === PROVIDER) return
  const unit = c.withoutPermissionCheck('a company keeps an administrator')
  // Of two who would leave at once, the second finds out.
  await unit.lock(client, c.clientId)
  const others = (await unit.find(user, { isRetired: false })).filter((u) => u.id !== before.id && administers(u.roles))
  if (!others.length)
    throw problem.conflict(`${before.name} is the company’s last administrator. Please make somebody else one first.`)
}

const NOT_A_VISITOR =
  'New people, and changes of a username, e-mail address or roles, are for the client’s own administrators. Leave first.'

/** What would outlast a visit: another way in, or more rights for somebody. */
function refuseVisitor(actor: Actor, before: RowOf<typeof user> | undefined, changes: ValuesOf<typeof user>): void {
  if (!actor.original) return
  const lasting =
    ['username', 'email', 'roles', 'scopes'].some((name) => name in changes) || changes.isRetired === false
  if (!before || lasting) throw problem.forbidden(NOT_A_VISITOR)
}

/** What a change of an account changes about its ways in. */
const wayChanges = (changes: ValuesOf<typeof user>): WayChange[] => [
  ...(changes.isRetired !== undefined ? (['retirement'] as const) : []),
  ...(changes.email !== undefined ? (['email'] as const) : []),
  ...(changes.username !== undefined ? (['username'] as const) : []),
]

/** Works leads, as the database has it (0260). */
const worksLeads = ({ roles, isRetired }: ValuesOf<typeof user>) => !isRetired && (roles ?? []).includes('ROLE_STAFF')

/** Who takes leads over is said with leaving them, and stands until somebody works leads again. */
function handedOver(before: RowOf<typeof user> | undefined, changes: ValuesOf<typeof user>): ValuesOf<typeof user> {
  if (worksLeads({ ...before, ...changes })) return { handTo: null, handToTeam: false }
  if (!before || worksLeads(before) || !('handTo' in changes || changes.handToTeam)) return {}
  throw problem.conflict(`${before.name} works no leads. Who takes them over is said with leaving.`)
}

const userBehaviour = behaviour(user, {
  beforeSave: async (c) => {
    const { changes, before } = c
    // Accounts and rights outlast a session: they are given by one that is open now, with the rights of now.
    const actor = await readActorNow(c)
    if (!keepsUsers(actor) && !isFirstAdministrator(c, actor)) throw problem.forbidden()
    refuseVisitor(actor, before, changes)
    requireProof(actor)
    if (before && before.id === actor.userId && changes.isRetired) throw problem.conflict("You can't retire yourself.")
    if (before) await mustLeaveAnAdministrator(c, before, changes)
    if (changes.username !== undefined && changes.username.toLowerCase() !== before?.username.toLowerCase())
      await checkUsername(c, before?.id, changes.username)
    if (typeof changes.manager === 'number') await checkManager(c, before?.id, changes.manager)
    if (changes.scopes !== undefined) checkScopes(actor, !before, changes.scopes)
    const roles = 'roles' in changes ? await rolesOf(c, changes.roles ?? [], before?.roles ?? []) : undefined
    return { ...handedOver(before, changes), ...(roles ? { roles } : {}) }
  },
  afterSave: async (c) => {
    const { before, changes } = c
    noteAccount(c, before?.username ?? changes.username ?? '', changes, !before)
    const gone = wayChanges(changes)
    if (before && gone.length)
      await overClients(c, async (tx) => {
        for (const change of gone) await endWaysIn(tx, { clientId: c.clientId, userId: before.id }, change)
      })
    // Whose address was mistyped before they ever signed in is written to at the right one, and nobody at the wrong one.
    const begins = before?.lastLoginAt === null && isFirstAdministrator(c, c.actor)
    if (before && changes.email !== undefined && !begins)
      await tellOfEmail(c, before, before.email ?? '', changes.email ?? '')
  },
})

export const people = feature({
  resources: [user, securityUser],
  behaviours: [userBehaviour],
  seeds: () => import('./demo.server.ts'),
})
