import { Tabs } from '@mantine/core'
import { z } from 'zod'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { useIsProviderStaff } from '../billing-urls.web.ts'
import { CatalogueList } from './catalogue-list.web.tsx'
import { CATALOGUE_LISTS, type CatalogueListName } from './catalogue-lists.web.tsx'

const LIST_NAMES = Object.keys(CATALOGUE_LISTS) as [CatalogueListName, ...CatalogueListName[]]
const TAB_STATE = z.object({ tab: z.enum(LIST_NAMES).default('products') })

/** Catalogue screen: products, prices, discounts and taxes. */
export default function CataloguePage() {
  const [{ tab }, set] = useUrlState(TAB_STATE)
  const isStaff = useIsProviderStaff()
  // Only the provider sells portal applications.
  const shown = LIST_NAMES.filter((name) => isStaff || name !== 'applications')
  return (
    <Page
      title="Catalogue"
      about="A new price applies to new sales. Quotes already sent keep their price, and so do active subscriptions until you notify the customer."
    >
      <Tabs
        value={tab}
        onChange={(next) => set({ tab: next as CatalogueListName, page: 1, q: '', order: '' } as never)}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {shown.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {CATALOGUE_LISTS[name].label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map((name) => (
          <Tabs.Panel key={name} value={name}>
            <CatalogueList {...CATALOGUE_LISTS[name]} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  )
}
