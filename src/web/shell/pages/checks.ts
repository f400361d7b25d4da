import { canUsePortalDuringMaintenance } from '#kernel/maintenance.ts'
import { hasRole } from '#kernel/roles.ts'
import { actorOf } from '../../api/session.ts'
import type { PageCheck } from './guard.ts'
import { isPageBlocked } from './packs.ts'
import { pathAfterSignIn, signInPath } from './redirects.ts'

const NO_ACCESS = { status: 403, message: 'You do not have access to this part of the portal' }

/** Page checks, by the name that a page's declaration uses. */
export const pageChecks: Readonly<Record<string, PageCheck>> = {
  authentication: async ({ session, url }) => {
    const state = await session()
    return state.kind === 'in'
      ? undefined
      : { redirect: signInPath(url.pathname + url.search + url.hash, state.kind === 'out' && state.expired) }
  },
  navigation: async ({ session, page }) => {
    const state = await session()
    if (state.kind === 'in' && isPageBlocked(page, actorOf(state.me))) return { ...NO_ACCESS, blocked: true }
    if (!page.allow || (state.kind === 'in' && hasRole(actorOf(state.me), page.allow))) return undefined
    return { ...NO_ACCESS, needs: page.allow }
  },
  maintenance: async ({ session, maintenance }) => {
    const state = await session()
    if (state.kind === 'in' && canUsePortalDuringMaintenance(actorOf(state.me))) return undefined
    return (await maintenance()) === null ? undefined : { redirect: '/maintenance' }
  },
  /** Check for public pages that show more to signed-in users. */
  session: async ({ session }) => {
    await session().catch(() => undefined)
    return undefined
  },
  /** Check for sign-in pages: signed-in users are redirected to the page they wanted. */
  guest: async ({ session, url, maintenance }) => {
    const state = await session()
    if (state.kind === 'in') return { redirect: pathAfterSignIn(url.searchParams.get('next'), state.me) }
    // The maintenance notice is awaited, because a notice that appeared later would shift the layout.
    await maintenance()
    return undefined
  },
}
