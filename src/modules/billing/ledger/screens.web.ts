import { screens } from '#web/shell/manifest/module.ts'
import { isRecord, pageAt } from '#web/shell/manifest/page.ts'
import { nav } from '../nav.ts'
import { BOOKS, INVOICING } from '../rights.ts'

export const ledger = screens({
  pages: [
    { ...pageAt(nav.ownLedger), load: () => import('./ledger.web.tsx') },
    {
      path: `${nav.ownLedger.path}/:id`,
      title: 'Ledger transaction',
      under: nav.ownLedger.path,
      valid: isRecord,
      load: () => import('./transaction.web.tsx'),
      allow: INVOICING,
      pack: BOOKS,
    },
    { ...pageAt(nav.ledger), load: () => import('./ledger.web.tsx') },
    {
      path: '/crm/ledger/:id',
      title: 'Ledger transaction',
      under: nav.ledger.path,
      valid: isRecord,
      allow: 'ROLE_FINANCE',
      load: () => import('./transaction.web.tsx'),
    },
  ],
})
