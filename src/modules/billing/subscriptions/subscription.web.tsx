import { Alert, Anchor, Button, Group, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { canRunActionInState } from '#kernel/can.ts'
import { formatMoney } from '#kernel/money.ts'
import { hasRole } from '#kernel/roles.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { useNow } from '#web/dates/use-now.ts'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { usePageTitle } from '#web/shell/pages/title.ts'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { useBillingUrls, useIsProviderStaff } from '../billing-urls.web.ts'
import { describeCoupon } from '../catalogue/coupon-rules.ts'
import { PRICING_ROLES } from '../rights.ts'
import { type ChosenSubscriptionAction, SubscriptionChangeDialog } from './change-dialog.web.tsx'
import { SubscriptionChip } from './chip.web.tsx'
import {
  describeItemPrice,
  describeSubscriptionInterval,
  describeUnitPrice,
  hasSubscriptionEnded,
  type SubscriptionItemRecord,
  type SubscriptionRecord,
  useSubscriptionMutation,
} from './data.web.ts'
import { CreditNoteLinks } from './preview.web.tsx'
import own from './subscription.module.css'
import { describeCancelReason, priceNotice, subscription, subscriptionChange } from './subscription.ts'
import {
  currentItems,
  describeDayRange,
  describeItemChange,
  describeLastDay,
  describePausedItems,
  scheduledItemChanges,
} from './timeline.ts'

export default function SubscriptionPage() {
  const { id } = useParams()
  const one = useApiRecord(subscription, id)
  const places = useBillingUrls()
  const s = one.data
  // Client invoicing has no subscription list, so "back" leads to the customer.
  const back = useIsProviderStaff()
    ? { label: 'All subscriptions', to: getListReturnPath('/crm/subscriptions') }
    : { label: 'Customer', to: s ? places.customer(s.customer.id) : places.customers }
  usePageTitle(s ? `Subscription for ${s.company}` : undefined)
  if (!s)
    return (
      <Page title="Subscription" back={back}>
        {one.isError ? <ErrorState error={one.error} onRetry={() => void one.refetch()} /> : <LoadingRows />}
      </Page>
    )
  return <Known of={s} back={back} />
}

function Known({ of, back }: { readonly of: SubscriptionRecord; readonly back: { label: string; to: string } }) {
  const actor = useActor()
  const places = useBillingUrls()
  const [chosen, setChosen] = useState<ChosenSubscriptionAction>()
  const may = canRunActionInState(actor, 'change', subscription, of.status)
  const isPaused = of.status === 'paused'
  return (
    <Page
      title={`Billed ${describeSubscriptionInterval(of)}`}
      beside={
        <>
          <SubscriptionChip of={of} />
          <Anchor component={Link} to={places.customer(of.customer.id)}>
            {of.company || of.customer.email}
          </Anchor>
        </>
      }
      back={back}
    >
      <OfflineNotice />
      {may && (
        <Group gap="sm" justify="space-between">
          <Group gap="sm">
            {isPaused ? (
              <Button onClick={() => setChosen({ way: 'resume' })}>Resume</Button>
            ) : (
              <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setChosen({ way: 'add' })}>
                Add a plan
              </Button>
            )}
            {of.cancelAtPeriodEnd && (
              <Button variant="default" onClick={() => setChosen({ way: 'keep' })}>
                Keep subscription
              </Button>
            )}
            {!isPaused && of.charged && (
              <Button variant="default" onClick={() => setChosen({ way: 'pause' })}>
                Pause
              </Button>
            )}
          </Group>
          <Button variant="subtle" color="red" onClick={() => setChosen({ way: 'cancelAtPeriodEnd' })}>
            Cancel subscription
          </Button>
        </Group>
      )}
      <div className={page.columns}>
        <div className={page.page}>
          <Standing of={of} />
          <Items of={of} {...(may && !isPaused ? { onChoose: setChosen } : {})} />
        </div>
        <div className={page.page}>
          <Facts of={of} />
          <History of={of} />
        </div>
      </div>
      <SubscriptionChangeDialog of={of} chosen={chosen} onClose={() => setChosen(undefined)} />
    </Page>
  )
}

function Standing({ of }: { readonly of: SubscriptionRecord }) {
  const today = londonDate(useNow()).toString()
  const reason = `Reason: ${describeCancelReason(of.cancelReason, of.cancelNotes)}`
  if (of.endedOn)
    return (
      <Alert color="gray">
        This subscription ended on {formatIsoDateAsUk(of.endedOn)}. Modules that were paid for can still be viewed.
        <br />
        {reason}
      </Alert>
    )
  if (of.status === 'past_due')
    return (
      <Alert color="red">
        An invoice has been overdue since {formatIsoDateAsUk(of.pastDueOn ?? '')}.{' '}
        {of.lapsedOn
          ? 'The subscription’s modules are read-only, but data can be exported.'
          : 'Full access continues for now.'}
      </Alert>
    )
  if (of.status === 'paused')
    return (
      <Alert color="yellow">
        Paused on {formatIsoDateAsUk(of.pausedOn ?? '')}. Nothing is charged until the subscription is resumed.
        <br />
        {describePausedItems(of.resumesWith ?? [], { today, renewsOn: of.renewsOn })}
      </Alert>
    )
  if (of.cancelAtPeriodEnd)
    return (
      <Alert color="yellow">
        This subscription ends after the current period and will not renew on {formatIsoDateAsUk(of.renewsOn)}.
        <br />
        {reason}
      </Alert>
    )
  if (!of.charged) return <Alert color="blue">Billing starts on {formatIsoDateAsUk(of.anchor)}.</Alert>
  return null
}

interface ItemsProps {
  readonly of: SubscriptionRecord
  readonly onChoose?: (chosen: ChosenSubscriptionAction) => void
}

function Items({ of, onChoose }: ItemsProps) {
  const today = londonDate(useNow()).toString()
  const open: SubscriptionItemRecord[] = hasSubscriptionEnded(of) ? [] : currentItems(of.items, of.renewsOn)
  const former = of.items.filter((one) => one.until !== null && !open.includes(one))
  const scheduled = hasSubscriptionEnded(of) ? [] : scheduledItemChanges(of.items, of.renewsOn)
  const isPricing = hasRole(useActor(), PRICING_ROLES)
  const notices = useList(priceNotice, { subscription: of.id, state: 'open' }).data?.['hydra:member'] ?? []
  const keep = useSubscriptionMutation(({ item, keep: to }: { item: string; keep: boolean }) =>
    callApi('POST', `${of['@id']}/keep-price`, { item, keep: to }),
  )
  const withdraw = useSubscriptionMutation((notice: string) => callApi('POST', `${notice}/withdraw`, {}))
  return (
    <section className={page.card} aria-labelledby="items">
      <Title order={2} size="h4" id="items">
        Items
      </Title>
      {open.length === 0 && <span>No current items</span>}
      <ul className={css.list}>
        {open.map((one) => (
          <li key={one.id} className={css.row}>
            <span>
              <Text fw={600}>
                {one.description} × {one.quantity}
              </Text>
              <Text size="sm" className={css.money}>
                {describeItemPrice(one, of)}
              </Text>
              {notices
                .filter((notice) => notice.plan.id === one.plan?.id && notice.formerAmount === one.amount)
                .map((notice) => (
                  <Text key={notice.id} size="sm">
                    New price {describeItemPrice({ ...one, amount: notice.amount }, of)}, from{' '}
                    {formatIsoDateAsUk(notice.from)}, if the notice to {notice.email} is sent in time.{' '}
                    {isPricing && (
                      <Anchor component="button" type="button" inherit onClick={() => withdraw.mutate(notice['@id'])}>
                        Withdraw
                      </Anchor>
                    )}
                  </Text>
                ))}
            </span>
            {one.until !== null && <span>until {describeLastDay(one.until)}</span>}
            {onChoose && one.until === null && (
              <Group gap="xs">
                <Button
                  variant="subtle"
                  aria-label={`Change quantity of ${one.description}`}
                  onClick={() => onChoose({ way: 'quantity', item: one })}
                >
                  Change quantity
                </Button>
                <Button
                  variant="subtle"
                  aria-label={`Switch plan: ${one.description}`}
                  onClick={() => onChoose({ way: 'swap', item: one })}
                >
                  Switch plan
                </Button>
                {isPricing && one.plan && (
                  <Button
                    variant="subtle"
                    loading={keep.isPending}
                    onClick={() => keep.mutate({ item: one['@id'], keep: !one.keepsPrice })}
                  >
                    {one.keepsPrice ? 'Allow price changes' : 'Keep agreed price'}
                  </Button>
                )}
                {open.length > 1 && (
                  <Button
                    variant="subtle"
                    color="red"
                    aria-label={`Remove ${one.description}`}
                    onClick={() => onChoose({ way: 'remove', item: one })}
                  >
                    Remove
                  </Button>
                )}
              </Group>
            )}
          </li>
        ))}
      </ul>
      {scheduled.length > 0 && (
        <>
          <Title order={3} size="h5">
            From {formatIsoDateAsUk(of.renewsOn)}
          </Title>
          <ul className={css.list}>
            {scheduled.map((change) => {
              const item = (change.begins ?? change.ends) as SubscriptionItemRecord
              const words = describeItemChange(change)
              return (
                <li key={item.id} className={css.row}>
                  <span>{words}</span>
                  {change.begins && <span className={css.money}>{describeUnitPrice(change.begins, of)}</span>}
                  {onChoose && (
                    <Button
                      variant="subtle"
                      aria-label={`Withdraw: ${words}`}
                      onClick={() => onChoose({ way: 'withdraw', item })}
                    >
                      Withdraw
                    </Button>
                  )}
                </li>
              )
            })}
          </ul>
        </>
      )}
      {former.length > 0 && (
        <>
          <Title order={3} size="h5">
            Earlier items
          </Title>
          <ul className={css.list}>
            {former.map((one) => (
              <li key={one.id} className={css.row}>
                <span>
                  {one.description} × {one.quantity}
                </span>
                <span>{describeDayRange(one.from, one.until ?? today)}</span>
                <span className={css.money}>{describeUnitPrice(one, of)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Facts({ of }: { readonly of: SubscriptionRecord }) {
  const places = useBillingUrls()
  const facts: readonly (readonly [string, string | null])[] = [
    ['Amount per period, excl. VAT', formatMoney(of.amount, of.currency)],
    ['Started', formatIsoDateAsUk(of.startedOn)],
    ['This period', hasSubscriptionEnded(of) ? null : describeDayRange(of.currentFrom, of.renewsOn)],
    ['Discount', of.couponTerms && describeCoupon(of.couponTerms)],
    ['Purchase order', of.poNumber || null],
  ]
  return (
    <section className={page.card} aria-labelledby="facts">
      <Title order={2} size="h4" id="facts">
        Terms
      </Title>
      <dl className={own.terms}>
        {facts.flatMap(([name, value]) =>
          value === null
            ? []
            : [
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>,
              ],
        )}
      </dl>
      {of.quote && (
        <Anchor component={Link} to={places.quote(of.quote.id)}>
          Quote {of.quote.reference}
        </Anchor>
      )}
    </section>
  )
}

function History({ of }: { readonly of: SubscriptionRecord }) {
  const places = useBillingUrls()
  const list = useList(subscriptionChange, { subscription: of.id, itemsPerPage: 50 })
  const rows = list.data?.['hydra:member']
  return (
    <section className={page.card} aria-labelledby="history">
      <Title order={2} size="h4" id="history">
        History
      </Title>
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <LoadingRows rows={3} />}
      <ol className={own.history}>
        {rows?.map((one) => (
          <li key={one.id}>
            <span>{one.description}</span>
            {one.reason && <Text size="sm">Reason: {describeCancelReason(one.reason, one.notes)}</Text>}
            {one.lines?.map((line) => (
              <Text key={line.sentence} size="sm" className={css.money}>
                {line.sentence}: {formatMoney(line.net, of.currency)}
              </Text>
            ))}
            <Text size="sm">
              {one.invoice && (
                <Anchor component={Link} to={places.invoice(one.invoice.id)} inherit>
                  {one.invoice.number || 'Draft invoice'}
                </Anchor>
              )}
              {one.invoice && one.creditNotes && ', '}
              {one.creditNotes && <CreditNoteLinks numbers={one.creditNotes.split(', ')} />}
            </Text>
            <Text size="sm" c="dimmed">
              {one.author && one.author !== 'system' && (
                <>
                  <PersonName username={one.author} />,{' '}
                </>
              )}
              <DateTimeText at={one.createdAt} />
            </Text>
          </li>
        ))}
      </ol>
    </section>
  )
}
