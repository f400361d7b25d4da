import type { OutsideContext } from '#server/engine/handler.ts'
import { registryOf } from '#server/engine/registry.ts'
import { type EmailRequest, LINK_PLACEHOLDER } from './letter.ts'

/**
 * Inserts the secret link, which is valid from now on and stored nowhere else. Returns `undefined` if the link may no
 * longer be created: the e-mail is not sent.
 */
export async function insertSecretLink(
  { engine, clientId }: Pick<OutsideContext, 'engine' | 'clientId'>,
  letter: EmailRequest,
): Promise<EmailRequest | undefined> {
  if (!letter.link) return letter
  const { kind, about } = letter.link
  const link = await registryOf(engine).links.get(kind)?.make(engine, clientId, about)
  if (link === undefined) return undefined
  return { ...letter, body: letter.body.replaceAll(LINK_PLACEHOLDER, () => link) }
}
