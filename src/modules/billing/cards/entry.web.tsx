import { Alert, Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { call } from '#web/api/client.ts'
import { LoadingRows } from '#web/ui/states.tsx'
import { sentence, toast } from '#web/ui/toast.ts'
import { type Customer, useCustomerCall } from '../customers/data.web.ts'
import { CardPage } from './card-page.web.tsx'
import type { Card } from './data.web.ts'

/** Enters a card on the payment service's own page, and keeps what that page answers with. */
export function CardEntry({ of, onDone }: { readonly of: Customer; readonly onDone: () => void }) {
  const [tries, setTries] = useState(0)
  const keep = useCustomerCall(of.id, (card: string) =>
    call<Card>('POST', '/api/financial/cards', { card, customer: of['@id'] }),
  )
  const entered = (card: string) =>
    keep.mutate(card, {
      onSuccess: () => {
        toast.saved('the card')
        onDone()
      },
    })
  const again = () => {
    keep.reset()
    setTries((n) => n + 1)
  }
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
  return <CardPage key={tries} at="/api/financial/cards/setup" body={{ customer: of['@id'] }} onEntered={entered} />
}
