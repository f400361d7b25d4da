import { screens } from '#web/shell/manifest/module.ts'
import { hasRecordId, pageFromNavigation } from '#web/shell/manifest/page.ts'
import { billingNav } from '../nav.ts'
import { INVOICING_PACK, INVOICING_ROLE } from '../rights.ts'

export const ledger = screens({
  pages: [
    { ...pageFromNavigation(billingNav.ownLedger), load: () => import('./ledger.web.tsx') },
    {
      path: `${billingNav.ownLedger.path}/:id`,
      title: 'Ledger transaction',
      under: billingNav.ownLedger.path,
      valid: hasRecordId,
      load: () => import('./transaction.web.tsx'),
      allow: INVOICING_ROLE,
      pack: INVOICING_PACK,
    },
    { ...pageFromNavigation(billingNav.ledger), load: () => import('./ledger.web.tsx') },
    {
      path: '/crm/ledger/:id',
      title: 'Ledger transaction',
      under: billingNav.ledger.path,
      valid: hasRecordId,
      allow: 'ROLE_FINANCE',
      load: () => import('./transaction.web.tsx'),
    },
  ],
})
