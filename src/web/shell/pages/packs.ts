import { packState } from '#kernel/packs.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Page } from '../manifest/page.ts'

/** Is the page closed to this person's client for want of its pack? What has lapsed can still be read. */
export function isBlocked({ pack, writes }: Pick<Page, 'pack' | 'writes'>, actor: Actor | undefined): boolean {
  const state = packState(actor, pack)
  return state === 'none' || (state === 'lapsed' && writes === true)
}
