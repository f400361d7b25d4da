import { Anchor, Button, Checkbox, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import { useList } from '#web/api/resources.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { DateTimeText } from '#web/dates/relative.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import css from '../billing.module.css'
import { type QuoteRecord, useQuoteAction } from '../quotes/data.web.ts'
import { quote } from '../quotes/quote.ts'

export function UnbilledQuotes({ isFinance }: { readonly isFinance: boolean }) {
  const list = useList(quote, { state: 'accepted', 'exists[billedAt]': false, 'order[id]': 'asc', itemsPerPage: 50 })
  const [open, setOpen] = useState<QuoteRecord>()
  const rows = list.data?.['hydra:member']
  return (
    <section className={page.card} aria-labelledby="convert">
      <Title order={2} size="h4" id="convert">
        Accepted but not billed
      </Title>
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <LoadingRows rows={2} />}
      {rows?.length === 0 && <span>No quotes to bill</span>}
      <ul className={css.list}>
        {rows?.map((q) => (
          <li key={q.id} className={css.row}>
            <Anchor component={Link} to={`/crm/quote/${q.id}`}>
              {q.reference}
            </Anchor>
            <span>{q.company}</span>
            <span>
              accepted on <DateTimeText at={q.decidedAt} day />
            </span>
            <span className={css.money}>{formatMoney(q.total, q.currency)}</span>
            {isFinance && (
              <Button variant="default" aria-label={`Bill ${q.reference}`} onClick={() => setOpen(q)}>
                Bill
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Dialog
        opened={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={`Bill ${open?.reference ?? ''}`}
        size="36rem"
      >
        {open && <Bill of={open} onDone={() => setOpen(undefined)} />}
      </Dialog>
    </section>
  )
}

function Bill({ of, onDone }: { readonly of: QuoteRecord; readonly onDone: () => void }) {
  const convert = useQuoteAction(of, 'convert')
  const [start, setStart] = useState<string | null>(null)
  const [invoiced, setInvoiced] = useState(false)
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        convert.mutate(
          { ...(start ? { start } : {}), invoiced },
          {
            onSuccess: () => {
              toast.saved(`the invoice and subscriptions of ${of.reference}`)
              onDone()
            },
          },
        )
      }}
    >
      <Stack>
        {convert.error && <ErrorText>{errorSentence(convert.error)}</ErrorText>}
        <Text>
          Its plans become subscriptions, and the first payment becomes an invoice of{' '}
          {formatMoney(of.total, of.currency)}, as accepted. Periods that have started since are invoiced by the next
          billing run.
        </Text>
        <DateField
          label="First day of the first period"
          description="Defaults to today."
          value={start}
          onChange={setStart}
        />
        <Checkbox
          label="The first period and all items were invoiced elsewhere"
          checked={invoiced}
          onChange={(e) => setInvoiced(e.currentTarget.checked)}
        />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Go back
        </Button>
        <Button type="submit" loading={convert.isPending}>
          Bill {of.reference}
        </Button>
      </DialogActions>
    </form>
  )
}
