import { Anchor, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { iriOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { CardList } from '../cards/card.web.tsx'
import { useCards } from '../cards/data.web.ts'
import { customer } from '../customers/customer.ts'
import type { CustomerRecord } from '../customers/data.web.ts'
import { QuoteBuilder, type QuoteBuilderHandle } from '../quote-builder/builder.web.tsx'
import { CopyQuoteLink } from '../quote-builder/head.web.tsx'
import { QuoteChip } from '../quotes/chip.web.tsx'
import { type QuoteRecord, useQuote } from '../quotes/data.web.ts'
import { describeQuoteDelivery, useQuoteMails } from '../quotes/letters.web.ts'
import { quote } from '../quotes/quote.ts'
import { SaleStep } from './step.web.tsx'

/** Newest quote that can still be used. */
function useNewest(to: CustomerRecord) {
  const url = `${iriOf(customer, to.id)}/quotes`
  return useQuery({
    queryKey: [quote.url, 'list', 'newest', to.id],
    queryFn: ({ signal }) =>
      callApi<{ 'hydra:member': readonly { id: number; state: string; replacedBy: unknown }[] }>(
        'GET',
        url,
        undefined,
        {
          signal,
        },
      ),
    select: (answer) => answer['hydra:member'].find((q) => q.state !== 'cancelled'),
  })
}

interface Props {
  readonly to: CustomerRecord
  /** Became a customer during this sale, so no earlier quote was sent. */
  readonly made: boolean
  /** Next steps once the quote is sent. */
  readonly after: ReactNode
}

/** Steps for a customer: quote, card and sending. */
export function CustomerSaleSteps({ to, made, after }: Props) {
  const newest = useNewest(to)
  const read = useQuote(newest.data?.id)
  const cards = useCards(to.id)
  const held = cards.data?.['hydra:member'] ?? []
  const form = useRef<QuoteBuilderHandle>(null)
  const isComing = newest.isPending || (newest.data && !read.data)
  /** Without a quote on opening, a new one is edited here; the same form stays mounted while it is saved and sent. */
  const [isNew, setNew] = useState<boolean>()
  /** A sent quote stays; another one is created beside it. */
  const [another, setAnother] = useState(false)
  if (isNew === undefined && !isComing && !newest.isError) setNew(newest.data === undefined)
  const next = useOnceOut(isComing ? undefined : isOut(read.data?.body), made)
  if (newest.isError) return <ErrorState error={newest.error} onRetry={() => void newest.refetch()} />
  if (isComing && !isNew) return <LoadingRows rows={4} />
  const q = another ? undefined : read.data?.body
  const link = q && (
    <Anchor component={Link} to={`/crm/quote/${q.id}`}>
      {q.reference}
    </Anchor>
  )
  return (
    <>
      <SaleStep n={3} title="Quote" done={isOut(q) && link} begun={q && <>Draft {link}</>}>
        {(!q || q.state === 'draft') && (
          <QuoteBuilder
            key={isNew || another ? 'new' : q?.id}
            ref={form}
            {...(read.data && !isNew && !another ? { read: read.data } : {})}
            customer={to['@id']}
            onMade={() =>
              void newest.refetch().then(() => {
                setNew(false)
                setAnother(false)
              })
            }
          />
        )}
      </SaleStep>
      <SaleStep n={4} title="Card" done={held.length ? `${held.length} saved` : undefined}>
        <Text size="sm">A card can also be added later; the quote can be sent without one.</Text>
        <CardList of={to} />
      </SaleStep>
      <SendStep
        q={q}
        after={
          <>
            <Button variant="default" onClick={() => setAnother(true)}>
              Another quote
            </Button>
            {after}
          </>
        }
        next={next}
        onPreview={() => form.current?.preview()}
      />
    </>
  )
}

interface SendProps extends Pick<Props, 'after'> {
  readonly q: QuoteRecord | undefined
  readonly next: RefObject<HTMLDivElement | null>
  /** The form's own preview, which first saves unsaved changes. */
  readonly onPreview: () => void
}

function SendStep({ q, after, next, onPreview }: SendProps) {
  const letters = useQuoteMails(q)
  if (!q) return <SaleStep n={5} title="Send" />
  if (q.state !== 'draft')
    return (
      <SaleStep n={5} title="Send" done={describeQuoteDelivery(q, letters)}>
        <Group ref={next} gap="xs" role="group" aria-label={`After ${q.reference} is sent`} tabIndex={-1}>
          <QuoteChip of={q} />
          {q.state === 'open' && <CopyQuoteLink of={q} variant="default" />}
          {after}
        </Group>
      </SaleStep>
    )
  return (
    <SaleStep n={5} title="Send">
      <div>
        <Button onClick={onPreview}>Preview and send {q.reference}</Button>
      </div>
    </SaleStep>
  )
}

const isOut = (q: QuoteRecord | undefined) => q !== undefined && q.state !== 'draft'

/** Focuses and scrolls to the next steps once the quote has been sent. */
function useOnceOut(out: boolean | undefined, made: boolean) {
  const next = useRef<HTMLDivElement>(null)
  const was = useRef(made ? false : out)
  useEffect(() => {
    if (out === undefined) return
    const isNew = out && was.current === false
    was.current = out
    if (!isNew || !next.current) return
    next.current.focus({ preventScroll: true })
    next.current.scrollIntoView({ block: 'center' })
  }, [out])
  return next
}
