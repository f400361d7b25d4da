import { Alert, Button, Stack, useComputedColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useId, useRef } from 'react'
import { call } from '#web/api/client.ts'
import { say, sentence } from '#web/ui/say.ts'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { type Customer, useCustomerCall } from '../customers/data.web.ts'
import { cardOf } from './card-message.ts'
import type { Card } from './data.web.ts'

type SetUp =
  | { readonly gateway: 'test'; readonly url: string }
  | { readonly gateway: 'stripe'; readonly clientSecret: string; readonly publishableKey: string }

/** Only where Stripe takes the cards. */
const StripeEntry = lazy(() => import('./stripe-entry.web.tsx'))

/** Enters a card on the payment service's own page, and keeps what that page answers with. */
export function CardEntry({ of, onDone }: { readonly of: Customer; readonly onDone: () => void }) {
  const id = useId()
  const setUp = useQuery({
    queryKey: ['card set-up', of.id, id],
    queryFn: () => call<SetUp>('POST', '/api/financial/cards/setup', { customer: of['@id'] }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const keep = useCustomerCall(of.id, (card: string) =>
    call<Card>('POST', '/api/financial/cards', { card, customer: of['@id'] }),
  )
  const entered = (card: string) =>
    keep.mutate(card, {
      onSuccess: () => {
        say.saved('the card')
        onDone()
      },
    })
  const again = () => {
    keep.reset()
    void setUp.refetch()
  }
  if (setUp.isError) return <ErrorState error={setUp.error} onRetry={() => void setUp.refetch()} />
  if (setUp.isFetching || !setUp.data) return <LoadingRows rows={4} />
  if (keep.isPending) return <LoadingRows rows={4} />
  if (keep.isError)
    return (
      <Stack>
        <Alert color="red" title="The card was not added" role="alert">
          {sentence(keep.error)}
        </Alert>
        <div>
          <Button onClick={again} data-autofocus>
            Try another card
          </Button>
        </div>
      </Stack>
    )
  if (setUp.data.gateway === 'test') return <TestPage url={setUp.data.url} onEntered={entered} />
  return (
    <Suspense fallback={<LoadingRows rows={4} />}>
      <StripeEntry {...setUp.data} onEntered={entered} />
    </Suspense>
  )
}

/** The test gateway's page, in a frame without our cookies or storage. */
function TestPage({ url, onEntered }: { readonly url: string; readonly onEntered: (card: string) => void }) {
  const scheme = useComputedColorScheme('light')
  const frame = useRef<HTMLIFrameElement>(null)
  const hear = useEffectEvent((e: MessageEvent) => {
    const card = cardOf(e, frame.current?.contentWindow)
    if (card !== undefined) onEntered(card)
  })
  useEffect(() => {
    const listen = (e: MessageEvent) => hear(e)
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [])
  return (
    <iframe
      ref={frame}
      className={css.frame}
      title="Enter a card with the test payment service"
      src={`${url}?scheme=${scheme}`}
      sandbox="allow-scripts allow-forms"
    />
  )
}
