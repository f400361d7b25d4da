import { Anchor, Button } from '@mantine/core'
import { Link, useLocation, useSearchParams } from 'react-router'
import { Shortcut } from '#web/ui/keys/shortcut.tsx'
import { useListParams } from '../contacts/use-list.web.ts'
import { pathOf, useStartCalling } from './start-calling.web.ts'

interface Props {
  readonly lead: number
}

/** Link from a sale back to the lead, with its original query. */
export function LeadLink({ lead, name }: Props & { readonly name: string | null }) {
  const { search } = useLocation()
  return (
    <Anchor component={Link} to={pathOf(lead) + search}>
      {name}
    </Anchor>
  )
}

/** Continues after a sale: to the next lead of the calling session, or back to the lead. */
export function OnFromSale({ lead }: Props) {
  const { search } = useLocation()
  const [query] = useSearchParams()
  if (query.get('calling') === '1') return <BackToCalling lead={lead} from={query.get('from') ?? ''} />
  return (
    <Button component={Link} to={pathOf(lead) + search} variant="default">
      Back to the lead
    </Button>
  )
}

function BackToCalling({ lead, from }: Props & { readonly from: string }) {
  const { params } = useListParams(from)
  const calling = useStartCalling(from, params, lead)
  return (
    <Button
      variant="default"
      rightSection={<Shortcut keys="c" />}
      aria-keyshortcuts="c"
      loading={calling.busy}
      onClick={calling.start}
    >
      Back to calling
    </Button>
  )
}
