import { screens } from '#web/shell/manifest/module.ts'
import { hasRecordId, pageFromNavigation } from '#web/shell/manifest/page.ts'
import { billingNav } from '../nav.ts'
import { INVOICING_FINANCE_ROLE, INVOICING_PACK } from '../rights.ts'

const loadHmrc = () => import('../vat/hmrc.web.tsx')
const loadVat = () => import('../vat/vat.web.tsx')

export const ledger = screens({
  pages: [
    { ...pageFromNavigation(billingNav.ownVat), load: loadVat },
    {
      path: `${billingNav.ownVat.path}/:id`,
      title: 'VAT return',
      under: billingNav.ownVat.path,
      valid: hasRecordId,
      load: loadVat,
      allow: INVOICING_FINANCE_ROLE,
      pack: INVOICING_PACK,
    },
    { ...pageFromNavigation(billingNav.vat), load: loadVat },
    {
      path: `${billingNav.ownVat.path}/hmrc`,
      title: 'Connect to HMRC',
      under: billingNav.ownVat.path,
      load: loadHmrc,
      allow: INVOICING_FINANCE_ROLE,
      pack: INVOICING_PACK,
    },
    {
      path: `${billingNav.vat.path}/hmrc`,
      title: 'Connect to HMRC',
      under: billingNav.vat.path,
      allow: 'ROLE_FINANCE',
      load: loadHmrc,
    },
    {
      path: `${billingNav.vat.path}/:id`,
      title: 'VAT return',
      under: billingNav.vat.path,
      valid: hasRecordId,
      allow: 'ROLE_FINANCE',
      load: loadVat,
    },
    { ...pageFromNavigation(billingNav.ownLedger), load: () => import('./ledger.web.tsx') },
    {
      path: `${billingNav.ownLedger.path}/:id`,
      title: 'Ledger transaction',
      under: billingNav.ownLedger.path,
      valid: hasRecordId,
      load: () => import('./transaction.web.tsx'),
      allow: INVOICING_FINANCE_ROLE,
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
