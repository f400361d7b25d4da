import { problem, violation } from '#kernel/errors.ts'
import { type Actor, holds, PROVIDER } from '#kernel/roles.ts'
import { behaviour } from '#server/behaviour.ts'
import { user } from './user.ts'

/** May this actor look after other people's accounts? At the provider that takes more than being a client's administrator. */
export const keepsUsers = (actor: Actor): boolean =>
  holds(actor, actor.clientId === PROVIDER ? 'ROLE_USER_ADMIN' : ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'])

/**
 * Roles are given from the list of roles; the provider's internal ones to the provider's people only, but for a reseller's,
 * which the provider gives to the people of a reseller.
 */
export const userBehaviour = behaviour(user, {
  prepare: async ({ work, changes, before, actor }) => {
    if (!keepsUsers(actor)) throw problem.forbidden()
    if (before && before.id === actor.userId && changes.isRetired) throw problem.conflict("You can't retire yourself.")
    if (!('roles' in changes)) return
    const wanted = [...new Set((changes.roles as string[] | null) ?? [])]
    const known = await work.tx.rows<{ name: string; internal: boolean; retired: boolean }>(
      'SELECT name, internal, retired FROM role WHERE name = ANY($1)',
      [wanted],
    )
    const [reseller] =
      actor.clientId === PROVIDER
        ? await work.tx.rows('SELECT 1 FROM client WHERE id = $1 AND is_reseller', [work.clientId])
        : []
    const abroad = (name: string) => work.clientId !== PROVIDER && !(reseller && name === 'ROLE_RESELLER')
    const had = new Set((before?.roles as string[] | undefined) ?? [])
    const wrong = wanted.filter((name) => {
      const r = known.find((k) => k.name === name)
      return !r || (!had.has(name) && (r.retired || (r.internal && abroad(name))))
    })
    if (wrong.length) throw problem.invalid([violation('roles', `These can't be given here: ${wrong.join(', ')}`)])
    return { roles: wanted }
  },
})
