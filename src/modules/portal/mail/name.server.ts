import type { Config } from '#server/config.ts'
import type { OutsideContext } from '#server/engine/handler.ts'
import { findBrand } from '../clients/brand.server.ts'
import { type EmailRequest, nameInEmail, PORTAL_NAME_PLACEHOLDER } from './letter.ts'

/** An e-mail with the portal's name for its reader. */
export interface BrandedEmail extends EmailRequest {
  readonly name: string
}

/** Name of the portal for a client's users, as used in e-mails: the reseller's for its clients. */
export const findPortalName = async ({
  engine,
  clientId,
}: Pick<OutsideContext, 'engine' | 'clientId'>): Promise<string> => nameInEmail(await findBrand(engine, clientId))

/** Inserts the name of the portal for the client's users. */
export async function insertPortalName(
  to: Pick<OutsideContext, 'engine' | 'clientId'>,
  letter: EmailRequest,
): Promise<BrandedEmail> {
  const name = await findPortalName(to)
  const say = (words: string) => words.replaceAll(PORTAL_NAME_PLACEHOLDER, () => name)
  return { ...letter, subject: say(letter.subject), body: say(letter.body), name }
}

/** Sender of an e-mail: the operator's wording for the provider; others by name at the same address. */
export const formatSender = (
  { mailFrom, provider }: Pick<Config, 'mailFrom' | 'provider'>,
  { name }: Pick<BrandedEmail, 'name'>,
) =>
  name === nameInEmail(provider) ? mailFrom : { name, address: /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom.trim() }
