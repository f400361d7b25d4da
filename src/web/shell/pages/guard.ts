import type { Roles } from '#kernel/roles.ts'
import type { SessionState } from '../../api/session.ts'
import type { Page, PageParams } from '../manifest/page.ts'

/**
 * Reason why a page is not shown: a redirect or an error page. `needs` contains the roles that may open the page.
 * `blocked` means that a pack is missing.
 */
export type PageCheckFailure =
  | { readonly redirect: string }
  | { readonly status: number; readonly message: string; readonly needs?: Roles; readonly blocked?: true }

export interface PageVisit {
  readonly page: Page
  readonly params: PageParams
  readonly url: URL
  /** Returns the current session. If the session is not known yet, requests it from the server. */
  readonly session: () => Promise<SessionState>
  /** Returns the maintenance notice while the portal is closed for maintenance, otherwise null. */
  readonly maintenance: () => Promise<string | null>
}

export type PageCheck = (visit: PageVisit) => Promise<PageCheckFailure | undefined> | PageCheckFailure | undefined

const STANDARD = ['authentication', 'navigation', 'maintenance'] as const
export const PAGE_NOT_FOUND: PageCheckFailure = { status: 404, message: 'This page could not be found' }

/** Returns the page's checks in the order in which they run. */
export const checkNamesOf = (page: Page): readonly string[] => [...(page.open ? [] : STANDARD), ...(page.checks ?? [])]

/** Runs the page's checks in order until one fails. If none fails, validates the path parameters. */
export async function runPageChecks(
  visit: PageVisit,
  known: Readonly<Record<string, PageCheck>>,
): Promise<PageCheckFailure | undefined> {
  for (const name of checkNamesOf(visit.page)) {
    const check = Object.hasOwn(known, name) ? known[name] : undefined
    if (!check) return { status: 500, message: `Unknown middleware ${name}` }
    const refusal = await check(visit)
    if (refusal) return refusal
  }
  return visit.page.valid && !visit.page.valid(visit.params) ? PAGE_NOT_FOUND : undefined
}
