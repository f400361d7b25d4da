import { problem, violation } from '#kernel/errors.ts'
import type { ValuesOf } from '#kernel/resource.ts'
import { DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { findNamesLikeAccounts } from '#modules/identity/people/accounts.server.ts'
import { user } from '#modules/identity/people/user.ts'
import type { BeforeSaveInput } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import type { correctiveAction } from './corrective-action.ts'

type Save = Context & BeforeSaveInput<typeof correctiveAction>

/**
 * If the action is new or its owner's details have changed, returns the name and e-mail address of an owner who has an
 * account. Throws 422 if that owner can't open the action, or if an owner without an account is named like one.
 */
export async function ownerOf(c: Save): Promise<ValuesOf<typeof correctiveAction>> {
  const { owner } = c.values
  const isChanged = !c.before || ['owner', 'managerName', 'email'].some((name) => name in c.changes)
  if (!isChanged) return {}
  if (typeof owner !== 'number') {
    await refuseNameOfAccount(c)
    return {}
  }
  const person = await c.get(user, owner)
  const refuse = (message: string) => problem.invalid([violation('owner', message)])
  if (!person) throw refuse('Please choose a person at your company')
  if (c.changes.owner !== undefined && person.isRetired)
    throw refuse(`${person.name} can no longer sign in. Choose another person`)
  if (!DOCUMENT_READER_ROLES.some((role) => person.roles.includes(role)))
    throw refuse(`${person.name} can’t open corrective actions. Choose another person`)
  return { managerName: person.name, email: person.email }
}

/**
 * Throws 422 if a link would be e-mailed to a person who is named like an account: what is reported by the link would be
 * recorded in the name of its holder. Work that the portal hands on keeps the name of the employee who takes over.
 */
async function refuseNameOfAccount(c: Save): Promise<void> {
  const { managerName: name, email } = c.values
  if (!name || !email || c.actor.kind === 'system') return
  if (!(await findNamesLikeAccounts(c, [name])).has(name)) return
  const sentence = `${name} has an account. Choose them as the owner, or add a company to the name of a different person`
  throw problem.invalid([violation('managerName', sentence)])
}
