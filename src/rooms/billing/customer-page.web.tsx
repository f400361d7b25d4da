import { Cards } from './cards/card.web.tsx'
import { CustomerPage } from './customers/customer.web.tsx'
import { QuoteList } from './quotes/of-customer.web.tsx'

/** The page of one customer, with their quotes and their cards. */
export default function CustomerWithPanels() {
  return (
    <CustomerPage
      panels={(customer) => (
        <>
          <QuoteList customer={customer} />
          <Cards of={customer} />
        </>
      )}
    />
  )
}
