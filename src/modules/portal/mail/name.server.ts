import type { Config } from '#server/config.ts'
import type { OutsideContext } from '#server/engine/handler.ts'
import { brandOf } from '../clients/brand.server.ts'
import { type Letter, nameInLetter, PORTAL } from './letter.ts'

/** A letter, and whose it is. */
export interface Named extends Letter {
  readonly name: string
}

/** The name by which a client's people know the portal, as letters say it: a reseller's own, for those that it carries. */
export const nameOf = async ({ engine, clientId }: Pick<OutsideContext, 'engine' | 'clientId'>): Promise<string> =>
  nameInLetter(await brandOf(engine, clientId))

/** The letter under the name by which its client's people know the portal. */
export async function withName(to: Pick<OutsideContext, 'engine' | 'clientId'>, letter: Letter): Promise<Named> {
  const name = await nameOf(to)
  const say = (words: string) => words.replaceAll(PORTAL, () => name)
  return { ...letter, subject: say(letter.subject), body: say(letter.body), name }
}

/** Who a letter comes from: the provider in the operator's words, others by their name at the same address. */
export const senderOf = (
  { mailFrom, provider }: Pick<Config, 'mailFrom' | 'provider'>,
  { name }: Pick<Named, 'name'>,
) =>
  name === nameInLetter(provider)
    ? mailFrom
    : { name, address: /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom.trim() }
