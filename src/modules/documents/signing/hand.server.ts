import { NOT_WHILE_IMPERSONATING } from '#kernel/can.ts'
import { problem, violation } from '#kernel/errors.ts'
import { hasRole } from '#kernel/roles.ts'
import { isName, isSameName } from '#kernel/signature.ts'
import { findAccountsByName } from '#modules/identity/people/names.server.ts'
import { requireCurrentAccount } from '#server/engine/actor-now.ts'
import type { Context } from '#server/engine/types.ts'
import { PROXY_SIGNERS } from '../rights.ts'

/** Name and method of a signature as requested. */
export interface SignatureClaim {
  /** Name of the signatory; empty for the actor's own. */
  readonly name: string
  readonly method: string | null
  /** True for a person without an account, on the actor's device. */
  readonly visitor: boolean
}

/** Signatory of a signature and the person who gave it, with user IDs. */
export interface Signatory {
  readonly name: string
  readonly user: number | null
  readonly signer: number | null
  readonly visitor: boolean
  /** The person who signed on behalf, or on whose device a visitor signed. */
  readonly byName: string | null
}

/**
 * The signing rule on every route: an account signs for itself; for others with permission, with both names stored; a
 * name alone is a visitor's and never an account's. Throws 403 and 422 with messages, 401 for a retired signer and 409 for
 * a changed one.
 */
export async function resolveSignatory(c: Context, { name, method, visitor }: SignatureClaim): Promise<Signatory> {
  const { actor } = c
  if (actor.original) throw problem.forbidden(NOT_WHILE_IMPERSONATING, 'in_person')
  await requireCurrentAccount(c)
  const named = name.trim()
  if (method === 'on behalf') return behalfHand(c, named)
  if (visitor) return visitorHand(c, named)
  if (named && !isSameName(named, actor.name)) throw asSomebodyElse(c, named)
  return { name: actor.name, user: actor.userId, signer: actor.userId, visitor: false, byName: null }
}

async function behalfHand(c: Context, named: string): Promise<Signatory> {
  const { actor } = c
  if (!hasRole(actor, PROXY_SIGNERS)) throw problem.forbidden(NOT_FOR_OTHERS)
  if (!isName(named)) throw wrongName('Please enter the name of the person you sign for')
  const called = (await findAccountsByName(c, [named])).get(named) ?? []
  if (called.length > 1)
    throw wrongName(`There are several people called ${named}. Please enter the username of the one you sign for`)
  const [person] = called
  if (person?.id === actor.userId) throw wrongName('That is you. Please sign for yourself')
  return {
    name: person?.name ?? named,
    user: person?.id ?? null,
    signer: actor.userId,
    visitor: !person,
    byName: actor.name,
  }
}

async function visitorHand(c: Context, named: string): Promise<Signatory> {
  if (!isName(named)) throw wrongName('Please enter the name of the person signing')
  if ((await findAccountsByName(c, [named])).get(named)?.length)
    throw wrongName(
      `${named} has an account here and signs with it. If this is a visitor of the same name, please add their company`,
    )
  return { name: named, user: null, signer: null, visitor: true, byName: c.actor.name }
}

/** Error if a visitor's name has already signed. */
export const alreadySignedByName = (name: string): string =>
  `${name} has already signed. If this is another person of the same name, please add their company`

const NOT_FOR_OTHERS =
  'You can only sign for yourself. To sign on behalf of others, ask your administrator for permission.'

const asSomebodyElse = ({ actor }: Context, named: string) =>
  hasRole(actor, PROXY_SIGNERS)
    ? wrongName(`You are ${actor.name}. Please choose whether you sign on behalf of ${named} or they are a visitor`)
    : problem.forbidden(NOT_FOR_OTHERS)

const wrongName = (message: string) => problem.invalid([violation('name', message)])
