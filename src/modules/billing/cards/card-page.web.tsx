import { useComputedColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useEffectEvent, useId, useRef } from 'react'
import { callApi } from '#web/api/client.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { parseCardMessage } from './card.ts'

type SetUp =
  | { readonly gateway: 'test'; readonly url: string }
  | { readonly gateway: 'stripe'; readonly clientSecret: string; readonly publishableKey: string }

/** Loaded only if Stripe is the payment service. */
const StripeEntry = lazyComponent(() => import('./stripe-entry.web.tsx'))

interface Props {
  /** Endpoint that sets up the card entry, and the request body sent to the endpoint. */
  readonly at: string
  readonly body: object
  /** Label of the submit button. */
  readonly action?: string
  /** Called with the gateway's ID for the card. */
  readonly onEntered: (card: string) => void
}

/** Card entry in the payment service's own form: the test gateway's framed page or Stripe's element. */
export function CardEntryFrame({ at, body, action = 'Save this card', onEntered }: Props) {
  const id = useId()
  const setUp = useQuery({
    queryKey: ['card set-up', at, id],
    queryFn: () => callApi<SetUp>('POST', at, body),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  if (setUp.isError) return <ErrorState error={setUp.error} onRetry={() => void setUp.refetch()} />
  if (setUp.isFetching || !setUp.data) return <LoadingRows rows={4} />
  if (setUp.data.gateway === 'test') return <TestPage url={setUp.data.url} onEntered={onEntered} />
  return (
    <Suspense fallback={<LoadingRows rows={4} />}>
      <StripeEntry {...setUp.data} action={action} onEntered={onEntered} />
    </Suspense>
  )
}

/** The test gateway's page, in a frame without the portal's cookies or storage. */
function TestPage({ url, onEntered }: { readonly url: string; readonly onEntered: (card: string) => void }) {
  const scheme = useComputedColorScheme('light')
  const frame = useRef<HTMLIFrameElement>(null)
  const hear = useEffectEvent((e: MessageEvent) => {
    const card = parseCardMessage(e, frame.current?.contentWindow)
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
      title="Enter card details with the test payment service"
      src={`${url}?scheme=${scheme}`}
      sandbox="allow-scripts allow-forms"
    />
  )
}
