import { packState } from '#kernel/packs.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Page } from '../manifest/page.ts'

/**
 * Returns true if the page is blocked because the client does not have the page's pack. If the pack has lapsed, its
 * pages can still be read.
 */
export function isPageBlocked({ pack, writes }: Pick<Page, 'pack' | 'writes'>, actor: Actor | undefined): boolean {
  const state = packState(actor, pack)
  return state === 'none' || (state === 'lapsed' && writes === true)
}
