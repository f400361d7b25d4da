import { worksWhileClosed } from '#kernel/maintenance.ts'
import { hasRole } from '#kernel/roles.ts'
import { actorOf } from '../../api/session.ts'
import type { Check } from './guard.ts'
import { isBlocked } from './packs.ts'
import { afterSignIn, signInPath } from './redirects.ts'

const NO_ACCESS = { status: 403, message: 'You do not have access to this part of the portal' }

/** Every check that a page may name. */
export const checks: Readonly<Record<string, Check>> = {
  authentication: async ({ session, url }) => {
    const state = await session()
    return state.kind === 'in'
      ? undefined
      : { redirect: signInPath(url.pathname + url.search + url.hash, state.kind === 'out' && state.expired) }
  },
  navigation: async ({ session, page }) => {
    const state = await session()
    if (state.kind === 'in' && isBlocked(page, actorOf(state.me))) return { ...NO_ACCESS, blocked: true }
    if (!page.allow || (state.kind === 'in' && hasRole(actorOf(state.me), page.allow))) return undefined
    return { ...NO_ACCESS, needs: page.allow }
  },
  maintenance: async ({ session, maintenance }) => {
    const state = await session()
    if (state.kind === 'in' && worksWhileClosed(actorOf(state.me))) return undefined
    return (await maintenance()) === null ? undefined : { redirect: '/maintenance' }
  },
  /** For pages that are open to anybody, and better for somebody signed in. */
  session: async ({ session }) => {
    await session().catch(() => undefined)
    return undefined
  },
  /** For sign-in pages: somebody signed in goes on to where they were going. */
  guest: async ({ session, url, maintenance }) => {
    if ((await session()).kind === 'in') return { redirect: afterSignIn(url.searchParams.get('next')) }
    // What the page says of the portal has been asked for by now: it comes with the page, and moves nothing on it.
    await maintenance()
    return undefined
  },
}
