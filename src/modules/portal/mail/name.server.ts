import type { Config } from '#server/config.ts'
import type { OutsideContext } from '#server/engine/handler.ts'
import { brandOf } from '../clients/brand.server.ts'
import { type Letter, nameInLetter, PORTAL } from './letter.ts'

/** An e-mail with the portal's name for its reader. */
export interface Named extends Letter {
  readonly name: string
}

/** Name of the portal for a client's users, as used in e-mails: the reseller's for its clients. */
export const nameOf = async ({ engine, clientId }: Pick<OutsideContext, 'engine' | 'clientId'>): Promise<string> =>
  nameInLetter(await brandOf(engine, clientId))

/** Inserts the name of the portal for the client's users. */
export async function withName(to: Pick<OutsideContext, 'engine' | 'clientId'>, letter: Letter): Promise<Named> {
  const name = await nameOf(to)
  const say = (words: string) => words.replaceAll(PORTAL, () => name)
  return { ...letter, subject: say(letter.subject), body: say(letter.body), name }
}

/** Sender of an e-mail: the operator's wording for the provider; others by name at the same address. */
export const senderOf = (
  { mailFrom, provider }: Pick<Config, 'mailFrom' | 'provider'>,
  { name }: Pick<Named, 'name'>,
) =>
  name === nameInLetter(provider)
    ? mailFrom
    : { name, address: /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom.trim() }
