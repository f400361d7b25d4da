import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { formatMoney } from '#kernel/money.ts'
import { call } from '#web/api/client.ts'
import { idempotencyKeys } from '#web/api/idempotency.ts'
import { DateTimeField } from '#web/dates/date-time-field.tsx'
import { Moment } from '#web/dates/relative.tsx'
import { MoneyInput } from '#web/forms/inputs/money-input.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { say, sentence } from '#web/ui/say.ts'
import css from '../billing.module.css'
import { type Customer, useCustomerCall } from './data.web.ts'

/** What the customer owes, or has in credit; and the way to change it. */
export function Balance({ of }: { readonly of: Customer }) {
  const [open, setOpen] = useState(false)
  const balance = of.accountBalance ?? 0
  return (
    <section className={page.card} aria-labelledby="balance">
      <Title order={2} size="h4" id="balance">
        Account balance
      </Title>
      <div>
        <div className={css.balance}>{formatMoney(Math.abs(balance), of.currency ?? 'GBP')}</div>
        <Text size="sm">{balance === 0 ? 'Nothing booked' : balance > 0 ? 'Owed by the customer' : 'In credit'}</Text>
      </div>
      <span>
        Payment received: <Moment at={of.paymentReceivedDate} />
      </span>
      <Group>
        <Button variant="default" onClick={() => setOpen(true)}>
          Change the balance
        </Button>
      </Group>
      <Dialog opened={open} onClose={() => setOpen(false)} title="Change the balance" size="32rem">
        <Change of={of} onDone={() => setOpen(false)} />
      </Dialog>
    </section>
  )
}

const symbolOf = (currency: string) => formatMoney(0, currency).charAt(0)

const WAYS = [
  { value: '-', label: 'Payment received' },
  { value: '+', label: 'Amount owed' },
]

function Change({ of, onDone }: { readonly of: Customer; readonly onDone: () => void }) {
  const keys = useMemo(() => idempotencyKeys(), [])
  const [way, setWay] = useState('-')
  const [pence, setPence] = useState<number | null>(null)
  const [day, setDay] = useState<string | null>(null)
  const currency = of.currency ?? 'GBP'
  const change = pence === null ? 0 : way === '-' ? -pence : pence
  const body = { change, ...(way === '-' && day ? { paymentReceivedDate: day } : {}) }
  const save = useCustomerCall(of.id, () =>
    call('POST', `${of['@id']}/balance`, body, { idempotencyKey: keys.keyFor(body) }),
  )
  const wrong = save.isError ? sentence(save.error) : undefined
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (pence === null || e.currentTarget.querySelector(':invalid')) return
        save.mutate(undefined, {
          onSuccess: () => {
            say.saved('the balance')
            onDone()
          },
        })
      }}
    >
      <Stack gap="md">
        <SegmentedControl data={WAYS} value={way} onChange={setWay} aria-label="What is added" />
        <MoneyInput
          symbol={symbolOf(currency)}
          label="Amount (Required)"
          value={pence}
          onChange={setPence}
          autoFocus
          error={wrong}
        />
        {way === '-' && <DateTimeField label="Received" value={day} onChange={setDay} />}
        <Text role="status" className={css.money}>
          {formatMoney(of.accountBalance ?? 0, currency)} becomes{' '}
          {formatMoney((of.accountBalance ?? 0) + change, currency)}
        </Text>
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending} disabled={!pence}>
          Change the balance
        </Button>
      </DialogActions>
    </form>
  )
}
