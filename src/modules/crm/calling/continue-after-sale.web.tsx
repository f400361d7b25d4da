import { Anchor, Button } from '@mantine/core'
import { Link, useLocation, useSearchParams } from 'react-router'
import { ShortcutKeys } from '#web/ui/keys/shortcut.tsx'
import { useLeadListParams } from '../contacts/use-list.web.ts'
import { leadViewPath, useStartCalling } from './start-calling.web.ts'

interface Props {
  readonly lead: number
}

/** Link from a sale back to its lead. The link keeps the query of the lead's URL. */
export function BackToLeadLink({ lead, name }: Props & { readonly name: string | null }) {
  const { search } = useLocation()
  return (
    <Anchor component={Link} to={leadViewPath(lead) + search}>
      {name}
    </Anchor>
  )
}

/** Button that continues after a sale, either with the next lead of the calling session or by returning to the lead. */
export function ContinueAfterSaleButton({ lead }: Props) {
  const { search } = useLocation()
  const [query] = useSearchParams()
  if (query.get('calling') === '1') return <BackToCalling lead={lead} from={query.get('from') ?? ''} />
  return (
    <Button component={Link} to={leadViewPath(lead) + search} variant="default">
      Back to the lead
    </Button>
  )
}

function BackToCalling({ lead, from }: Props & { readonly from: string }) {
  const { params } = useLeadListParams(from)
  const calling = useStartCalling(from, params, lead)
  return (
    <Button
      variant="default"
      rightSection={<ShortcutKeys keys="c" />}
      aria-keyshortcuts="c"
      loading={calling.busy}
      onClick={calling.start}
    >
      Back to calling
    </Button>
  )
}
