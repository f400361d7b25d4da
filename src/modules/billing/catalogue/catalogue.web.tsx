import { Tabs } from '@mantine/core'
import { z } from 'zod'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { useIsStaff } from '../places.web.ts'
import { Shelf } from './shelf.web.tsx'
import { SHELVES, type ShelfName } from './shelves.web.tsx'

const NAMES = Object.keys(SHELVES) as [ShelfName, ...ShelfName[]]
const PLACE = z.object({ tab: z.enum(NAMES).default('products') })

/** Catalogue screen: products, prices, discounts and taxes. */
export default function Catalogue() {
  const [{ tab }, set] = useUrlState(PLACE)
  const isStaff = useIsStaff()
  // Only the provider sells applications of the portal.
  const shown = NAMES.filter((name) => isStaff || name !== 'applications')
  return (
    <Page
      title="Catalogue"
      about="A new price applies from now on. Quotes already sent and active subscriptions keep their price."
    >
      <Tabs
        value={tab}
        onChange={(next) => set({ tab: next as ShelfName, page: 1, q: '', order: '' } as never)}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {shown.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {SHELVES[name].label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map((name) => (
          <Tabs.Panel key={name} value={name}>
            <Shelf {...SHELVES[name]} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  )
}
