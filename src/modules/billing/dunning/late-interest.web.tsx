import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import { Anchor, Button, Checkbox, NumberInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import { hasRole } from '#kernel/roles.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import type { InvoiceRecord } from '../invoices/data.web.ts'
import { invoice } from '../invoices/invoice.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { useDunningMutation } from './data.web.ts'
import { baseRate, type LateInterestAnswer, POINTS_ABOVE_BASE_RATE } from './late-interest.ts'

const dateRange = ({ from, to }: { readonly from: string; readonly to: string }) =>
  `${formatIsoDateAsUk(from)} to ${formatIsoDateAsUk(to)}`

/** Statutory interest and fixed sum of an overdue invoice. They are added only when a person decides to. */
export function LatePaymentInterest({ of }: { readonly of: InvoiceRecord }) {
  const places = useBillingUrls()
  const mayDecide = hasRole(useActor(), FINANCE_ROLES)
  const [asking, setAsking] = useState<'add' | 'waive' | 'rate'>()
  const late = useQuery({
    queryKey: [invoice.url, 'late interest', of['@id']],
    queryFn: ({ signal }) => callApi<LateInterestAnswer>('GET', `${of['@id']}/late_interest`, undefined, { signal }),
    enabled: of.state === 'open' || of.state === 'paid',
  }).data
  if (!late || (late.to < late.from && !late.claims.length)) return null
  const money = (pence: number) => formatMoney(pence, of.currency)
  const close = () => setAsking(undefined)
  const isUnknown = late.percent === null
  return (
    <section aria-labelledby="late-interest">
      <Title order={3} size="h6" id="late-interest">
        Late payment interest
      </Title>
      {late.barred === null && late.interest !== null && (
        <dl className={css.facts}>
          <div>
            <dt>
              Interest, {dateRange(late)} at {late.percent}%
            </dt>
            <dd>{money(late.interest)}</dd>
          </div>
          <div>
            <dt>Fixed sum</dt>
            <dd>{late.fixedSum ? money(late.fixedSum) : '—'}</dd>
          </div>
          {late.perDay !== null && late.perDay > 0 && (
            <div>
              <dt>Each further day</dt>
              <dd>{money(late.perDay)}</dd>
            </div>
          )}
        </dl>
      )}
      <Text size="sm">
        {late.barred ??
          `Not added yet. ${POINTS_ABOVE_BASE_RATE}% above the base rate on ${formatIsoDateAsUk(late.rateDay)}, under the Late Payment of Commercial Debts (Interest) Act 1998. Between businesses only.`}
      </Text>
      {late.claims.length > 0 && (
        <ul className={css.list} aria-label="Late payment claims">
          {late.claims.map((one) => (
            <li key={one.id} className={css.row}>
              <span>
                {one.document ? (
                  <>
                    Added by{' '}
                    <Anchor component={Link} to={places.invoice(one.document.id)} inherit>
                      {one.document.number}
                    </Anchor>
                  </>
                ) : (
                  `Waived: ${one.reason}`
                )}
                , {dateRange(one)}
              </span>
              <span className={css.money}>{money(one.interest + one.fixedSum)}</span>
            </li>
          ))}
        </ul>
      )}
      {mayDecide && (late.barred === null || isUnknown) && (
        <div className={css.head}>
          {late.barred === null && (
            <>
              <Button variant="default" onClick={() => setAsking('add')}>
                Add interest
              </Button>
              <Button variant="subtle" onClick={() => setAsking('waive')}>
                Waive interest
              </Button>
            </>
          )}
          {isUnknown && (
            <Button variant="default" onClick={() => setAsking('rate')}>
              Add base rate
            </Button>
          )}
        </div>
      )}
      <Dialog
        opened={asking === 'add' || asking === 'waive'}
        onClose={close}
        title={asking === 'waive' ? `Waive interest on ${of.number}` : `Add interest on ${of.number}`}
        size="32rem"
      >
        {(asking === 'add' || asking === 'waive') && <DecideForm of={of} late={late} how={asking} onDone={close} />}
      </Dialog>
      <Dialog opened={asking === 'rate'} onClose={close} title="Add base rate" size="32rem">
        {asking === 'rate' && <RateForm day={late.rateDay} onDone={close} />}
      </Dialog>
    </section>
  )
}

interface DecideFormProps {
  readonly of: InvoiceRecord
  readonly late: LateInterestAnswer
  readonly how: 'add' | 'waive'
  readonly onDone: () => void
}

function DecideForm({ of, late, how, onDone }: DecideFormProps) {
  const [interest, setInterest] = useState((late.interest ?? 0) > 0)
  const [fixedSum, setFixedSum] = useState(late.fixedSum > 0)
  const [reason, setReason] = useState('')
  const amount = (interest ? (late.interest ?? 0) : 0) + (fixedSum ? late.fixedSum : 0)
  const money = (pence: number) => formatMoney(pence, of.currency)
  const send = useDunningMutation(() =>
    callApi('POST', `${of['@id']}/late_interest/${how}`, {
      interest,
      fixedSum,
      ...(how === 'add' ? { amount } : { reason: reason.trim() }),
    }),
  )
  const ready = amount > 0 && (how === 'add' || reason.trim() !== '')
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (ready)
          send.mutate(undefined, {
            onSuccess: () => {
              toast.info(how === 'add' ? `${money(amount)} added by a debit note` : `${money(amount)} waived`, 'safe')
              onDone()
            },
          })
      }}
    >
      <Stack>
        {send.error && <ErrorText>{errorSentence(send.error)}</ErrorText>}
        <Text size="sm">
          {how === 'add'
            ? 'A debit note outside the scope of VAT is issued, posted and e-mailed to the customer.'
            : 'The amounts up to today will not be offered again. Interest continues from tomorrow.'}
        </Text>
        <Checkbox
          label={`Interest, ${money(late.interest ?? 0)}`}
          checked={interest}
          disabled={!late.interest}
          onChange={(e) => setInterest(e.currentTarget.checked)}
        />
        <Checkbox
          label={`Fixed sum, ${money(late.fixedSum)}`}
          checked={fixedSum}
          disabled={!late.fixedSum}
          onChange={(e) => setFixedSum(e.currentTarget.checked)}
        />
        {how === 'waive' && (
          <TextInput
            label="Reason (required)"
            maxLength={500}
            value={reason}
            onChange={(e) => setReason(e.currentTarget.value)}
          />
        )}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={send.isPending} disabled={!ready}>
          {how === 'add' ? `Add ${money(amount)}` : `Waive ${money(amount)}`}
        </Button>
      </DialogActions>
    </form>
  )
}

function RateForm({ day, onDone }: { readonly day: string; readonly onDone: () => void }) {
  const [percent, setPercent] = useState<string | number>('')
  const [source, setSource] = useState('')
  const ready = typeof percent === 'number' && source.trim() !== ''
  const send = useDunningMutation(() => callApi('POST', baseRate.url, { day, percent, source: source.trim() }))
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (ready) send.mutate(undefined, { onSuccess: onDone })
      }}
    >
      <Stack>
        {send.error && <ErrorText>{errorSentence(send.error)}</ErrorText>}
        <Text size="sm">
          The rate in force on {formatIsoDateAsUk(day)} applies to all debts that become overdue in the following
          half-year. It can’t be changed later.
        </Text>
        <NumberInput
          label="Bank of England base rate in % (required)"
          min={0}
          max={50}
          decimalScale={2}
          value={percent}
          onChange={setPercent}
        />
        <TextInput
          label="Source (required)"
          maxLength={255}
          value={source}
          onChange={(e) => setSource(e.currentTarget.value)}
        />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={send.isPending} disabled={!ready}>
          Add base rate
        </Button>
      </DialogActions>
    </form>
  )
}
