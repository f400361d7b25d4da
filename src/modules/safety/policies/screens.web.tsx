import { DOCUMENT_AUTHOR_ROLES, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { screens } from '#web/shell/manifest/module.ts'
import type { Page } from '#web/shell/manifest/page.ts'
import { policyInfo } from './policy-info.ts'

const page = (path: string, title: string, allow: Page['allow'] & {}, load: NonNullable<Page['load']>): Page => ({
  path,
  title,
  allow,
  pack: 'safety',
  under: policyInfo.screens.list,
  load,
})

export const policyScreens = screens({
  pages: [
    page('/safety/policy/view', 'Policy', DOCUMENT_READER_ROLES, () => import('./current.web.tsx')),
    page('/safety/policy/update', 'Policy', DOCUMENT_AUTHOR_ROLES, async () => {
      const { default: Current } = await import('./current.web.tsx')
      return { default: () => <Current writing /> }
    }),
    page('/sfp/safety-policy/review', 'Policy review', DOCUMENT_AUTHOR_ROLES, () => import('./renewals.web.tsx')),
    page('/sfp/safety-policy/expired', 'Policies overdue for review', DOCUMENT_AUTHOR_ROLES, async () => {
      const { default: Renewals } = await import('./renewals.web.tsx')
      return { default: () => <Renewals expired /> }
    }),
  ],
})
