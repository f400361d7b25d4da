import { buildWebModule } from '#web/shell/manifest/module.ts'
import { catalogue } from './catalogue/screens.web.ts'
import { customers } from './customers/screens.web.ts'
import { dunning } from './dunning/screens.web.ts'
import { invoices } from './invoices/screens.web.ts'
import { ledger } from './ledger/screens.web.ts'
import { payments } from './payments/screens.web.ts'
import { quotes } from './quotes/screens.web.ts'
import { subscriptions } from './subscriptions/screens.web.ts'

export const billingWebModule = buildWebModule([
  customers,
  catalogue,
  quotes,
  invoices,
  subscriptions,
  payments,
  dunning,
  ledger,
  {
    search: () => import('./search.web.ts'),
    dashboard: () => import('./dashboard.web.tsx'),
    help: () => import('./help.web.ts'),
  },
])
