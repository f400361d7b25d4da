import '@mantine/core/styles/RadioIndicator.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import { Alert, Button, NativeSelect, NumberInput, Radio, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { formatMoney } from '#kernel/money.ts'
import { hasRole } from '#kernel/roles.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { plan } from '../catalogue/plan.ts'
import { FINANCE_ROLES } from '../rights.ts'
import {
  type SubscriptionChangeBody,
  type SubscriptionItemRecord,
  type SubscriptionRecord,
  useSubscriptionMutation,
  useSubscriptionPreview,
} from './data.web.ts'
import { SubscriptionDiscountNotice } from './discount-notice.web.tsx'
import { SubscriptionChangePreviewTable } from './preview.web.tsx'
import { GIVEN_CANCEL_REASONS, type SubscriptionAction } from './subscription.ts'

export interface ChosenSubscriptionAction {
  readonly way: SubscriptionAction
  readonly item?: SubscriptionItemRecord
}

interface ActionLabels {
  readonly title: string
  readonly button: string
}

const ACTION_LABELS: Readonly<Record<SubscriptionAction, ActionLabels>> = {
  add: { title: 'Add a plan', button: 'Add plan' },
  quantity: { title: 'Change quantity', button: 'Change quantity' },
  swap: { title: 'Switch plan', button: 'Switch plan' },
  remove: { title: 'Remove', button: 'Remove' },
  pause: { title: 'Pause', button: 'Pause' },
  resume: { title: 'Resume', button: 'Resume' },
  cancelAtPeriodEnd: { title: 'Cancel subscription', button: 'Cancel subscription' },
  cancelNow: { title: 'Cancel subscription', button: 'Cancel subscription' },
  keep: { title: 'Keep subscription', button: 'Keep subscription' },
  withdraw: { title: 'Withdraw the change', button: 'Withdraw change' },
}

interface Props {
  readonly of: SubscriptionRecord
  readonly chosen: ChosenSubscriptionAction | undefined
  readonly onClose: () => void
}

/**
 * Dialog to change a subscription. The user chooses a change, previews the amounts, then confirms exactly those
 * amounts.
 */
export function SubscriptionChangeDialog({ of, chosen, onClose }: Props) {
  const words = chosen && ACTION_LABELS[chosen.way]
  const about = chosen?.item ? `: ${chosen.item.description}` : ''
  return (
    <Dialog opened={chosen !== undefined} onClose={onClose} title={`${words?.title ?? ''}${about}`} size="44rem">
      {chosen && <Change of={of} chosen={chosen} onDone={onClose} />}
    </Dialog>
  )
}

/** When a change applies, and whether unused days are credited. */
type Timing = 'credit' | 'none' | 'next'

function Change({
  of,
  chosen,
  onDone,
}: {
  readonly of: SubscriptionRecord
  readonly chosen: ChosenSubscriptionAction
  readonly onDone: () => void
}) {
  const { way, item } = chosen
  const isFinance = hasRole(useActor(), FINANCE_ROLES)
  const cancels = way === 'cancelAtPeriodEnd'
  const maySetLater = of.status !== 'paused' && !of.cancelAtPeriodEnd
  const [to, setTo] = useState<string | null>(null)
  const [quantity, setQuantity] = useState<number | undefined>(item?.quantity ?? 1)
  const [timing, setTiming] = useState<Timing>(
    cancels && maySetLater ? 'next' : isFinance && !cancels ? 'credit' : 'none',
  )
  const [reason, setReason] = useState('')
  const [notes, setNotes] = useState('')
  const [isTried, setIsTried] = useState(false)
  const asking = askingOf(way, { item: item?.['@id'], plan: to, quantity, timing })
  const seen = useSubscriptionPreview(of, asking)
  const save = useSubscriptionMutation((token: string) =>
    callApi('POST', `${of['@id']}/change`, { ...asking, ...(cancels ? { reason, notes } : {}), token }),
  )
  const needsFinance = seen.data?.needsFinance === true && !isFinance
  const approval = seen.data?.approval ?? null
  const isRefused = needsFinance || (approval !== null && approval.state !== 'approved')
  const reasonError = cancels && reason === '' ? 'Please choose the reason for cancelling' : undefined
  const notesError = cancels && reason === 'other' && notes.trim() === '' ? 'Please describe the reason' : undefined
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        setIsTried(true)
        if (!seen.data || seen.isPlaceholderData || isRefused || reasonError || notesError) return
        save.mutate(seen.data.token, {
          // Refetches the preview, so that changes made by others are shown before the user can confirm.
          onError: () => void seen.refetch(),
          onSuccess: () => {
            toast.saved('the subscription')
            onDone()
          },
        })
      }}
    >
      <Stack gap="md">
        {save.isError && (
          <Alert color="red" role="alert" title="Change not saved">
            {errorSentence(save.error)}
          </Alert>
        )}
        {(way === 'add' || way === 'swap') && (
          <RemoteSelect
            label="Plan (Required)"
            target={plan}
            value={to}
            onChange={setTo}
            params={{ retired: false, currency: of.currency, interval: of.interval, intervalCount: of.intervalCount }}
            description="Plans with the same billing interval and currency as this subscription."
            autoFocus
          />
        )}
        {(way === 'add' || way === 'swap' || way === 'quantity') && (
          <NumberInput
            label="Quantity (Required)"
            value={quantity ?? ''}
            onChange={(value) => setQuantity(typeof value === 'number' ? value : undefined)}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            allowNegative={false}
            autoFocus={way === 'quantity'}
          />
        )}
        {cancels && (
          <>
            <NativeSelect
              label="Reason for cancelling (Required)"
              value={reason}
              onChange={(e) => setReason(e.currentTarget.value)}
              data={[{ value: '', label: 'Choose a reason' }, ...reasonsFor(of)]}
              error={isTried && reasonError}
            />
            <Textarea
              label={reason === 'other' ? 'Notes (Required)' : 'Notes'}
              value={notes}
              onChange={(e) => setNotes(e.currentTarget.value)}
              error={isTried && notesError}
              maxLength={500}
              autosize
              minRows={1}
            />
          </>
        )}
        {TIMED.has(way) && (
          <TimingChoice
            of={of}
            cancels={cancels}
            isFinance={isFinance}
            mayBeLater={maySetLater}
            unused={seen.data?.unused ?? null}
            value={timing}
            onChange={setTiming}
          />
        )}
        <SubscriptionChangePreviewTable preview={seen.data} error={seen.error} isWaiting={asking === undefined} />
        {approval && (
          <SubscriptionDiscountNotice
            of={of}
            asking={asking}
            approval={approval}
            onRequested={() => void seen.refetch()}
          />
        )}
        {needsFinance && (
          <Alert color="yellow">
            {way === 'pause'
              ? 'Pausing credits the unused days, so only finance staff can pause this subscription.'
              : 'Only finance staff can give a credit.'}
          </Alert>
        )}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Go back
        </Button>
        <Button
          type="submit"
          color={cancels ? 'red' : undefined}
          loading={save.isPending || (asking !== undefined && seen.isFetching)}
          disabled={!seen.data || isRefused}
        >
          {ACTION_LABELS[way].button}
        </Button>
      </DialogActions>
    </form>
  )
}

const TIMED: ReadonlySet<SubscriptionAction> = new Set(['add', 'quantity', 'swap', 'remove', 'cancelAtPeriodEnd'])

/** Returns the reasons that the user may choose. “Unpaid” is offered if an invoice is overdue. */
const reasonsFor = ({ pastDueOn }: SubscriptionRecord) =>
  GIVEN_CANCEL_REASONS.filter(({ value }) => value !== 'unpaid' || pastDueOn !== null)

interface TimingProps {
  readonly of: SubscriptionRecord
  readonly cancels: boolean
  readonly isFinance: boolean
  readonly mayBeLater: boolean
  readonly unused: number | null
  readonly value: Timing
  readonly onChange: (value: Timing) => void
}

function TimingChoice({ of, cancels, isFinance, mayBeLater, unused, value, onChange }: TimingProps) {
  const amount = unused === null ? '' : formatMoney(unused, of.currency)
  const later = cancels
    ? `At the end of this period (the next one would start on ${formatIsoDateAsUk(of.renewsOn)})`
    : `From the next period (${formatIsoDateAsUk(of.renewsOn)})`
  const next = mayBeLater && <Radio value="next" label={later} description="Nothing is charged or credited now" />
  return (
    <Radio.Group
      label={cancels ? 'When should the subscription end?' : 'When should the change apply?'}
      value={unused === null && value === 'credit' ? 'none' : value}
      onChange={(chosen) => onChange(chosen as Timing)}
    >
      <Stack gap="xs" mt="xs">
        {cancels && next}
        {unused === null ? (
          <Radio value="none" label="Now" />
        ) : (
          <>
            <Radio
              value="credit"
              disabled={!isFinance}
              label={`Now, crediting the unused days: ${amount} incl. VAT`}
              {...(isFinance ? {} : { description: 'Only finance staff can give a credit' })}
            />
            <Radio
              value="none"
              label="Now, without a credit"
              description={`The ${amount} charged for the unused days stays${cancels ? '' : '; a later increase is charged from its day'}`}
            />
          </>
        )}
        {!cancels && next}
      </Stack>
    </Radio.Group>
  )
}

interface SubscriptionChangeValues {
  readonly item: string | undefined
  readonly plan: string | null
  readonly quantity: number | undefined
  readonly timing: Timing
}

/** Returns the request input, or undefined until the choice is complete. */
function askingOf(
  way: SubscriptionAction,
  { item, plan, quantity, timing }: SubscriptionChangeValues,
): SubscriptionChangeBody | undefined {
  const of = item ? { item } : {}
  const time = timing === 'next' ? ({ when: 'nextPeriod' } as const) : { credit: timing === 'credit' }
  switch (way) {
    case 'add':
    case 'swap':
      return plan && quantity ? { way, ...of, plan, quantity, ...time } : undefined
    case 'quantity':
      return quantity ? { way, ...of, quantity, ...time } : undefined
    case 'remove':
      return { way, ...of, ...time }
    case 'cancelAtPeriodEnd':
      return timing === 'next' ? { way } : { way: 'cancelNow', credit: timing === 'credit' }
    default:
      return { way, ...of }
  }
}
