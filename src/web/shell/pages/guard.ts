import type { Roles } from '#kernel/roles.ts'
import type { State } from '../../api/session.ts'
import type { Page, PageParams } from '../manifest/page.ts'

/**
 * Reason why a page is not shown: a redirect, or an error page. `needs` names the missing right; `blocked`: a pack is
 * missing.
 */
export type Refusal =
  | { readonly redirect: string }
  | { readonly status: number; readonly message: string; readonly needs?: Roles; readonly blocked?: true }

export interface Visit {
  readonly page: Page
  readonly params: PageParams
  readonly url: URL
  /** Returns the current session; asks the server if it is not known yet. */
  readonly session: () => Promise<State>
  /** Notice while the portal is closed for maintenance. */
  readonly maintenance: () => Promise<string | null>
}

export type Check = (visit: Visit) => Promise<Refusal | undefined> | Refusal | undefined

const STANDARD = ['authentication', 'navigation', 'maintenance'] as const
export const NOT_FOUND: Refusal = { status: 404, message: 'This page could not be found' }

/** Returns the page's checks in the order in which they run. */
export const checksOf = (page: Page): readonly string[] => [...(page.open ? [] : STANDARD), ...(page.checks ?? [])]

/** Runs the page's checks in order until one refuses, then validates the address. */
export async function guard(visit: Visit, known: Readonly<Record<string, Check>>): Promise<Refusal | undefined> {
  for (const name of checksOf(visit.page)) {
    const check = Object.hasOwn(known, name) ? known[name] : undefined
    if (!check) return { status: 500, message: `Unknown middleware ${name}` }
    const refusal = await check(visit)
    if (refusal) return refusal
  }
  return visit.page.valid && !visit.page.valid(visit.params) ? NOT_FOUND : undefined
}
