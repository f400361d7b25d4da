import '@mantine/core/styles/RadioIndicator.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import { Alert, Button, NumberInput, Radio, Stack } from '@mantine/core'
import { useState } from 'react'
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
import { SubscriptionChangePreviewTable } from './preview.web.tsx'
import type { SubscriptionAction } from './subscription.ts'

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

type Ending = 'later' | 'credit' | 'none'

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
  const [to, setTo] = useState<string | null>(null)
  const [quantity, setQuantity] = useState<number | undefined>(item?.quantity ?? 1)
  const [ending, setEnding] = useState<Ending>('later')
  const asking = askingOf(way, { item: item?.['@id'], plan: to, quantity, ending })
  const seen = useSubscriptionPreview(of, asking)
  const save = useSubscriptionMutation((token: string) => callApi('POST', `${of['@id']}/change`, { ...asking, token }))
  const isRefused = seen.data?.needsFinance === true && !isFinance
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (!seen.data || isRefused) return
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
        {way === 'cancelAtPeriodEnd' && (
          <Radio.Group
            label="When should the subscription end?"
            value={ending}
            onChange={(value) => setEnding(value as Ending)}
          >
            <Stack gap="xs" mt="xs">
              {!of.cancelAtPeriodEnd && of.status !== 'paused' && (
                <Radio
                  value="later"
                  label={`At the end of this period (the next period would start on ${formatIsoDateAsUk(of.renewsOn)})`}
                />
              )}
              {isFinance && <Radio value="credit" label="Immediately, crediting the remaining days" />}
              <Radio value="none" label="Immediately, without a credit" />
            </Stack>
          </Radio.Group>
        )}
        <SubscriptionChangePreviewTable preview={seen.data} error={seen.error} isWaiting={asking === undefined} />
        {isRefused && (
          <Alert color="yellow">
            Only finance staff can make a change that results in a credit. You can cancel at the end of the period
            instead.
          </Alert>
        )}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Go back
        </Button>
        <Button
          type="submit"
          color={way === 'cancelAtPeriodEnd' ? 'red' : undefined}
          loading={save.isPending || (asking !== undefined && seen.isFetching)}
          disabled={!seen.data || isRefused}
        >
          {ACTION_LABELS[way].button}
        </Button>
      </DialogActions>
    </form>
  )
}

interface SubscriptionChangeValues {
  readonly item: string | undefined
  readonly plan: string | null
  readonly quantity: number | undefined
  readonly ending: Ending
}

/** Returns the request input, or undefined until the choice is complete. */
function askingOf(
  way: SubscriptionAction,
  { item, plan, quantity, ending }: SubscriptionChangeValues,
): SubscriptionChangeBody | undefined {
  const of = item ? { item } : {}
  switch (way) {
    case 'add':
    case 'swap':
      return plan && quantity ? { way, ...of, plan, quantity } : undefined
    case 'quantity':
      return quantity ? { way, ...of, quantity } : undefined
    case 'cancelAtPeriodEnd':
      return ending === 'later' ? { way } : { way: 'cancelNow', credit: ending === 'credit' }
    default:
      return { way, ...of }
  }
}
