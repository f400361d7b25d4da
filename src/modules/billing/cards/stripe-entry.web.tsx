import { Alert, Button, Stack, useComputedColorScheme } from '@mantine/core'
import { loadStripe, type Stripe, type StripeElements } from '@stripe/stripe-js'
import { useEffect, useRef, useState } from 'react'
import { LoadingRows } from '#web/ui/states.tsx'

interface Props {
  readonly publishableKey: string
  readonly clientSecret: string
  readonly action: string
  /** Called with the ID of the payment method. */
  readonly onEntered: (card: string) => void
}

/** Stripe's own input element. Card details go directly to Stripe, and the portal receives only the result. */
export default function StripeCardEntry({ publishableKey, clientSecret, action, onEntered }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const held = useRef<{ stripe: Stripe; elements: StripeElements }>(undefined)
  const scheme = useComputedColorScheme('light')
  const [ready, setReady] = useState(false)
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<string>()

  useEffect(() => {
    let wanted = true
    void loadStripe(publishableKey).then(
      (stripe) => {
        if (!stripe || !wanted || !place.current) return
        const elements = stripe.elements({
          clientSecret,
          appearance: { theme: scheme === 'dark' ? 'night' : 'stripe' },
        })
        const element = elements.create('payment')
        element.on('ready', () => setReady(true))
        element.mount(place.current)
        held.current = { stripe, elements }
      },
      () =>
        setWrong('The payment service could not be loaded. Check your connection, close this dialog and try again.'),
    )
    return () => {
      wanted = false
      held.current?.elements.getElement('payment')?.destroy()
      held.current = undefined
    }
  }, [publishableKey, clientSecret, scheme])

  const confirm = async () => {
    if (!held.current) return
    setBusy(true)
    setWrong(undefined)
    const { error, setupIntent } = await held.current.stripe.confirmSetup({
      elements: held.current.elements,
      redirect: 'if_required',
      confirmParams: { return_url: location.href },
    })
    setBusy(false)
    const method = setupIntent?.payment_method
    if (error) setWrong(error.message ?? 'The card was not accepted. Please check it or try another card.')
    else if (method) onEntered(typeof method === 'string' ? method : method.id)
  }
  return (
    <Stack>
      {wrong && (
        <Alert color="red" title="The card was not added" role="alert">
          {wrong}
        </Alert>
      )}
      {!ready && !wrong && <LoadingRows rows={4} />}
      <div ref={place} />
      {ready && (
        <Button loading={busy} onClick={() => void confirm()}>
          {action}
        </Button>
      )}
    </Stack>
  )
}
