import { expect, test } from 'vitest'
import { hasRole } from '#kernel/roles.ts'
import { DEMO_USER_ROLES } from '#test/support/demo-people.ts'
import type { Me } from '#web/api/session.ts'
import type { Page } from '#web/shell/manifest/page.ts'
import { pageChecks } from '#web/shell/pages/checks.ts'
import { runPageChecks } from '#web/shell/pages/guard.ts'
import { modules } from './modules.web.ts'

const pages = modules
  .flatMap((module) => module.pages)
  .filter((page) => page.load && !page.open && !page.checks?.includes('guest'))

/** Returns the result of the page checks for provider staff with these roles. Provider staff have every pack. */
const refusalOf = (page: Page, roles: readonly string[]) =>
  runPageChecks(
    {
      page,
      params: {},
      url: new URL(page.path, 'http://portal'),
      session: async () => ({
        kind: 'in',
        me: { id: 1, client: { id: 0 }, roles, scopes: [], original: null } as unknown as Me,
      }),
      maintenance: async () => null,
    },
    pageChecks,
  )

const isRefused = async (page: Page, roles: readonly string[]) => {
  const refusal = await refusalOf(page, roles)
  return refusal !== undefined && 'status' in refusal && refusal.status === 403
}

test.each(Object.entries(DEMO_USER_ROLES))(
  '%s can open the permitted pages, and sees a no-access message on every other page',
  async (_, roles) => {
    const actor = { userId: 1, clientId: 0, username: 'x', name: 'x', roles, scopes: [] }
    const [open, closed]: [Page[], Page[]] = [[], []]
    for (const page of pages) (hasRole(actor, page.allow ?? 'member') ? open : closed).push(page)
    expect(open.length).toBeGreaterThan(4)
    for (const page of open) expect([page.path, await isRefused(page, roles)]).toEqual([page.path, false])
    for (const page of closed)
      expect([page.path, await refusalOf(page, roles)]).toEqual([
        page.path,
        { status: 403, message: 'You do not have access to this part of the portal', needs: page.allow },
      ])
  },
)

test("a user without roles can't open pages for staff, finance or safety administrators", async () => {
  for (const path of ['/crm/contact/list', '/crm/refunds', '/config/users', '/cms/commissionreview']) {
    const page = pages.find((one) => one.path === path)
    expect([path, page && (await isRefused(page, []))]).toEqual([path, true])
  }
})
