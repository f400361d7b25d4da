import { Button, Group, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { formatMoney } from '#kernel/money.ts'
import { hasRole } from '#kernel/roles.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeField } from '#web/dates/date-time-field.tsx'
import { DateTimeText } from '#web/dates/relative.tsx'
import { MoneyInput } from '#web/forms/inputs/money-input.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import css from '../billing.module.css'
import { FINANCE_ROLES } from '../rights.ts'
import { balanceChange } from './customer.ts'
import { type CustomerRecord, useCustomerMutation } from './data.web.ts'

/** A customer's account balance, owed or in credit, with a dialog to change it. */
export function CustomerBalance({ of }: { readonly of: CustomerRecord }) {
  const [open, setOpen] = useState(false)
  const mayBook = hasRole(useActor(), FINANCE_ROLES)
  const balance = of.accountBalance ?? 0
  return (
    <section className={page.card} aria-labelledby="balance">
      <Title order={2} size="h4" id="balance">
        Account balance
      </Title>
      <div>
        <div className={css.balance}>{formatMoney(Math.abs(balance), of.currency ?? 'GBP')}</div>
        <Text size="sm">{balance === 0 ? 'No balance' : balance > 0 ? 'Owed by the customer' : 'In credit'}</Text>
      </div>
      <span>
        Payment received: <DateTimeText at={of.paymentReceivedDate} />
      </span>
      <BalancePosting of={of} />
      {mayBook && (
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            Change balance
          </Button>
        </Group>
      )}
      <Dialog opened={open} onClose={() => setOpen(false)} title="Change balance" size="32rem">
        <Change of={of} onDone={() => setOpen(false)} />
      </Dialog>
    </section>
  )
}

/** Latest balance changes, with their reasons and authors. */
function BalancePosting({ of }: { readonly of: CustomerRecord }) {
  const rows = useList(balanceChange, { customer: of.id, itemsPerPage: MAX_CHANGES_SHOWN }).data?.['hydra:member'] ?? []
  if (!rows.length) return null
  return (
    <ul className={css.list} aria-label="Balance changes">
      {rows.map((one) => (
        <li key={one.id} className={css.row}>
          <span>
            {one.reason || 'Payment received'}
            <Text size="sm" c="dimmed">
              {one.author && (
                <>
                  <PersonName username={one.author} />,{' '}
                </>
              )}
              <DateTimeText at={one.createdAt} />
            </Text>
          </span>
          <span className={css.money}>{formatMoney(one.amount, of.currency ?? 'GBP')}</span>
        </li>
      ))}
    </ul>
  )
}

const MAX_CHANGES_SHOWN = 5

const symbolOf = (currency: string) => formatMoney(0, currency).charAt(0)

const CHANGE_DIRECTIONS = [
  { value: '-', label: 'Payment received' },
  { value: '+', label: 'Amount owed' },
]

function Change({ of, onDone }: { readonly of: CustomerRecord; readonly onDone: () => void }) {
  const keys = useMemo(() => createIdempotencyKeys(), [])
  const [way, setWay] = useState('-')
  const [pence, setPence] = useState<number | null>(null)
  const [day, setDay] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const currency = of.currency ?? 'GBP'
  const change = pence === null ? 0 : way === '-' ? -pence : pence
  const given = { change, reason: reason.trim(), ...(way === '-' && day ? { paymentReceivedDate: day } : {}) }
  const save = useCustomerMutation(of.id, (more: { readonly keepBoth?: true; readonly askApproval?: true }) => {
    const body = { ...given, ...more }
    return callApi('POST', `${of['@id']}/balance`, body, { idempotencyKey: keys.keyFor(body) })
  })
  const code = save.error instanceof ApiError ? save.error.code : undefined
  const wrong = save.isError ? errorSentence(save.error) : undefined
  const book = (more: Parameters<typeof save.mutate>[0]) =>
    save.mutate(more, {
      onSuccess: () => {
        if (more.askApproval) toast.info('Approval requested. The balance changes once a second person approves it.')
        else toast.saved('the balance')
        onDone()
      },
    })
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (pence === null || e.currentTarget.querySelector(':invalid')) return
        book({})
      }}
    >
      <Stack gap="md">
        <SegmentedControl data={CHANGE_DIRECTIONS} value={way} onChange={setWay} aria-label="Type of change" />
        <MoneyInput
          symbol={symbolOf(currency)}
          label="Amount (Required)"
          value={pence}
          onChange={setPence}
          autoFocus
          error={wrong}
        />
        {way === '-' && <DateTimeField label="Received" value={day} onChange={setDay} />}
        <TextInput
          label={way === '-' && day ? 'Reason' : 'Reason (Required)'}
          description="Optional if you enter when the payment was received."
          maxLength={500}
          value={reason}
          onChange={(e) => setReason(e.currentTarget.value)}
        />
        <Text role="status" className={css.money}>
          {formatMoney(of.accountBalance ?? 0, currency)} will become{' '}
          {formatMoney((of.accountBalance ?? 0) + change, currency)}
        </Text>
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        {code === 'already_there' && (
          <Button variant="default" onClick={() => book({ keepBoth: true })}>
            Record again
          </Button>
        )}
        {code === 'approval_needed' && (
          <Button variant="default" loading={save.isPending} onClick={() => book({ askApproval: true })}>
            Request approval
          </Button>
        )}
        <Button type="submit" loading={save.isPending} disabled={!pence}>
          Change balance
        </Button>
      </DialogActions>
    </form>
  )
}
