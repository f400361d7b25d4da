import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconBuildingBank, IconCreditCard, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import css from '../billing.module.css'
import { useIsProviderStaff } from '../billing-urls.web.ts'
import type { customer } from '../customers/customer.ts'
import {
  type CardRecord,
  type CustomerRecord,
  customerListQueryKey,
  useCustomerCards,
  useCustomerMutation,
} from '../customers/data.web.ts'
import { PAYMENT_EVENTS_ROLE } from '../rights.ts'
import { CardEntryFrame } from './card-page.web.tsx'
import { MANDATE_STATES, type mandate } from './mandate.ts'

type MandateRecord = RecordOf<typeof mandate>

/** Card entry in the payment service's own form. Saves the card that the form returns. */
function CardEntry({ of, onDone }: { readonly of: CustomerRecord; readonly onDone: () => void }) {
  const [tries, setTries] = useState(0)
  const keep = useCustomerMutation(of.id, (card: string) =>
    callApi<CardRecord>('POST', '/api/financial/cards', { card, customer: of['@id'] }),
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
          {errorSentence(keep.error)}
        </Alert>
        <div>
          <Button onClick={again} data-autofocus>
            Try another card
          </Button>
        </div>
      </Stack>
    )
  return (
    <CardEntryFrame key={tries} at="/api/financial/cards/setup" body={{ customer: of['@id'] }} onEntered={entered} />
  )
}

const BRANDS: Readonly<Record<string, string>> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' }
const nameOf = (c: CardRecord) => `${BRANDS[c.brand ?? ''] ?? c.brand} ending ${c.last4}`
const two = (n: number | null) => String(n ?? 0).padStart(2, '0')

/** A customer's cards, on the customer's page. */
export default function CustomerCards({ record }: { readonly record: RecordOf<typeof customer> }) {
  return useIsProviderStaff() ? (
    <>
      <CardList of={record as CustomerRecord} />
      <MandateList of={record as CustomerRecord} />
    </>
  ) : null
}

const MANDATE_MEANINGS = { pending: 'attention', active: 'safe', cancelled: 'plain', failed: 'stop' } as const

/** A customer's Direct Debits. Finance staff can cancel the one that has not ended. */
function MandateList({ of }: { readonly of: CustomerRecord }) {
  const actor = useActor()
  const [dialog, ask] = useConfirm()
  const queryKey = customerListQueryKey(of.id, 'mandates')
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi<Collection<MandateRecord>>('GET', `${of['@id']}/mandates`, undefined, { signal }),
  })
  const cancel = useCustomerMutation(of.id, (m: MandateRecord) => callApi('POST', `${m['@id']}/cancel`))
  const rows = list.data?.['hydra:member']
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!rows?.length) return null
  const stop = async (m: MandateRecord) => {
    const yes = await ask({
      title: 'Cancel this Direct Debit',
      question: `Cancel the Direct Debit from the account ending ${m.last4}? Nothing more will be collected. A payment in progress is still collected. The customer can set up a new one on a payment page.`,
      action: 'Cancel Direct Debit',
      meaning: 'stop',
    })
    if (yes)
      cancel.mutate(m, { onSuccess: () => toast.saved('Direct Debit cancelled'), onError: (e) => toast.failed(e) })
  }
  return (
    <section className={page.card} aria-labelledby="mandates">
      <Title order={2} size="h4" id="mandates">
        Direct Debit
      </Title>
      <ul className={css.list}>
        {rows.map((m) => (
          <li key={m.id} className={css.row}>
            <IconBuildingBank size={20} aria-hidden />
            <Text fw={600}>
              {m.bank} •••• {m.last4}
            </Text>
            <StatusChip meaning={MANDATE_MEANINGS[m.state]}>
              {MANDATE_STATES.find(({ value }) => value === m.state)?.label}
            </StatusChip>
            <Text size="sm">
              {m.holder}, signed <DateTimeText at={m.signedAt} day />. {m.reason}
            </Text>
            {(m.state === 'pending' || m.state === 'active') && hasRole(actor, PAYMENT_EVENTS_ROLE) && (
              <Button
                variant="subtle"
                color="red"
                loading={cancel.isPending}
                aria-label={`Cancel Direct Debit •••• ${m.last4}`}
                onClick={() => void stop(m)}
              >
                Cancel
              </Button>
            )}
          </li>
        ))}
      </ul>
      {dialog}
    </section>
  )
}

/**
 * A customer's cards, which are added and removed through the payment service. The list is refetched after every
 * attempt.
 */
export function CardList({ of }: { readonly of: CustomerRecord }) {
  const [adding, setAdding] = useState(false)
  const [dialog, ask] = useConfirm()
  const cards = useCustomerCards(of.id)
  const detach = useCustomerMutation(of.id, (c: CardRecord) => callApi('POST', `${c['@id']}/detach`))
  const first = useCustomerMutation(of.id, (c: CardRecord) => callApi('POST', `${c['@id']}/make-default`))
  const rows = cards.data?.['hydra:member']
  const remove = async (c: CardRecord) => {
    const yes = await ask({
      title: 'Remove this card',
      question: `Remove the ${nameOf(c)}? Once removed, this card can no longer be charged. To use this card again, enter its details again.`,
      action: 'Remove card',
      meaning: 'stop',
    })
    if (yes) detach.mutate(c, { onSuccess: () => toast.saved('card removed'), onError: (e) => toast.failed(e) })
  }
  return (
    <section className={page.card} aria-labelledby="cards">
      <div className={css.head}>
        <Title order={2} size="h4" id="cards">
          Cards
        </Title>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={of.retired}
          onClick={() => setAdding(true)}
        >
          Add a card
        </Button>
      </div>
      {cards.isError && <ErrorState error={cards.error} onRetry={() => void cards.refetch()} />}
      {cards.isPending && <LoadingRows rows={2} />}
      {rows?.length === 0 && (
        <Text size="sm">
          No cards yet. Card details are entered on the payment service’s own page; we never see the card number.
        </Text>
      )}
      {rows && rows.length > 0 && (
        <ul className={css.list}>
          {rows.map((c) => (
            <li key={c.id} className={css.row}>
              <IconCreditCard size={20} aria-hidden />
              <Text fw={600}>{nameOf(c)}</Text>
              <Text size="sm">
                Expires {two(c.expMonth)}/{two((c.expYear ?? 0) % 100)}
              </Text>
              {c.default && <StatusChip meaning="info">Default</StatusChip>}
              <Group gap="xs">
                {!c.default && (
                  <Button
                    variant="subtle"
                    aria-label={`Make default: ${nameOf(c)}`}
                    onClick={() => first.mutate(c, { onError: (e) => toast.failed(e) })}
                  >
                    Make default
                  </Button>
                )}
                <Button
                  variant="subtle"
                  color="red"
                  loading={detach.isPending && detach.variables?.id === c.id}
                  aria-label={`Remove ${nameOf(c)}`}
                  onClick={() => void remove(c)}
                >
                  Remove
                </Button>
              </Group>
            </li>
          ))}
        </ul>
      )}
      {dialog}
      <Dialog opened={adding} onClose={() => setAdding(false)} title="Add a card" size="36rem">
        <CardEntry of={of} onDone={() => setAdding(false)} />
      </Dialog>
    </section>
  )
}
