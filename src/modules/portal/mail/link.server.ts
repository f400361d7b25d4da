import type { OutsideContext } from '#server/engine/handler.ts'
import { registryOf } from '#server/engine/registry.ts'
import { type Letter, LINK } from './letter.ts'

/**
 * The letter as it goes out: with its secret link, which is good from now on and stands nowhere else. `undefined` for one whose
 * link may not be made any more: it does not go out.
 */
export async function withLink(
  { engine, clientId }: Pick<OutsideContext, 'engine' | 'clientId'>,
  letter: Letter,
): Promise<Letter | undefined> {
  if (!letter.link) return letter
  const { kind, about } = letter.link
  const link = await registryOf(engine).links.get(kind)?.make(engine, clientId, about)
  if (link === undefined) return undefined
  return { ...letter, body: letter.body.replaceAll(LINK, () => link) }
}
