import { packState } from '#kernel/packs.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Page } from '../manifest/page.ts'

/**
 * Returns true if the page is blocked: the client does not have the page's pack, or the pack has lapsed and the page
 * only creates or changes records. The other pages of a lapsed pack can still be read.
 */
export function isPageBlocked({ pack, writes }: Pick<Page, 'pack' | 'writes'>, actor: Actor | undefined): boolean {
  const state = packState(actor, pack)
  return state === 'none' || (state === 'lapsed' && writes === true)
}
