import { Alert, Anchor, Button, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import { hasRole } from '#kernel/roles.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import page from '#web/ui/page.module.css'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import type { InvoiceRecord } from '../invoices/data.web.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { ChaseDialog, SendReminderButton } from './chase.web.tsx'
import { DunningChip, PromiseChip } from './chip.web.tsx'
import { describeDunningStep, describeStepEmail, SILENCE, useDunningMutation, useDunningPlan } from './data.web.ts'
import type { DunningPlan } from './dunning.ts'
import { LatePaymentInterest } from './late-interest.web.tsx'

/** An invoice's past and upcoming payment reminders, by date. Not shown for drafts. */
export default function InvoiceDunning({ record: of }: { readonly record: InvoiceRecord }) {
  const plan = useDunningPlan(of)
  if (of.state === 'draft') return null
  return (
    <section className={page.card} aria-labelledby="collecting">
      <div className={css.head}>
        <Title order={2} size="h4" id="collecting">
          Payment reminders
        </Title>
        {plan.data && <DunningChip of={plan.data} />}
      </div>
      {plan.data ? (
        <Shown of={of} plan={plan.data} />
      ) : plan.isError ? (
        <ErrorState error={plan.error} onRetry={() => void plan.refetch()} />
      ) : (
        <LoadingRows rows={4} />
      )}
    </section>
  )
}

function Shown({ of, plan }: { readonly of: InvoiceRecord; readonly plan: DunningPlan }) {
  const { steps, next, final, pausedUntil, pauseReason, pausedBy, underWay, state, silent, promise, notes } = plan
  const places = useBillingUrls()
  const maySet = hasRole(useActor(), FINANCE_ROLES)
  return (
    <>
      {pausedUntil && (
        <Alert color="blue" title={`Paused until ${formatIsoDateAsUk(pausedUntil)}`}>
          {pauseReason}
          {pausedBy && (
            <>
              {' '}
              (<PersonName username={pausedBy} />)
            </>
          )}
        </Alert>
      )}
      {state === 'held' && (
        <Alert color="yellow" title="On hold">
          A payment was refunded or is disputed. Reminders stay on hold until you resume them.
        </Alert>
      )}
      {promise && (
        <div className={css.row}>
          <span>
            Promise to pay {formatMoney(promise.amount, of.currency)} by {formatIsoDateAsUk(promise.on)}
          </span>
          <PromiseChip state={promise.state} />
        </div>
      )}
      {notes && <Text size="sm">Note: {notes}</Text>}
      {underWay && (
        <Text size="sm">A payment is in progress. No further steps will be taken until the bank has responded.</Text>
      )}
      <Title order={3} size="h6">
        Upcoming
      </Title>
      {silent && (
        <Text size="sm">
          {SILENCE[silent]}{' '}
          {maySet && (
            <Anchor component={Link} to={`${places.overdue}?settings=1`} inherit>
              Reminder settings
            </Anchor>
          )}
        </Text>
      )}
      {next.length === 0 ? (
        silent === null && <Text size="sm">No further steps</Text>
      ) : (
        <ul className={css.list} aria-label="Upcoming">
          {next.map((step, n) => (
            <li key={`${step.kind} ${step.on}`} className={css.row}>
              <span>{describeDunningStep(step, final, n === 0)}</span>
              <span>{formatIsoDateAsUk(step.on)}</span>
            </li>
          ))}
        </ul>
      )}
      <Title order={3} size="h6">
        History
      </Title>
      {steps.length === 0 ? (
        <Text size="sm">None yet</Text>
      ) : (
        <ul className={css.list} aria-label="History">
          {steps.map((step) => (
            <li key={step.id} className={css.row}>
              <span>
                {step.description}
                <Text size="sm" c="dimmed">
                  {describeStepEmail(step)}
                  {step.author && step.author !== 'system' && (
                    <>
                      {step.sentTo && ', '}by <PersonName username={step.author} />
                    </>
                  )}
                </Text>
              </span>
              <span>{formatIsoDateAsUk(step.day)}</span>
            </li>
          ))}
        </ul>
      )}
      <Buttons of={of} plan={plan} />
      <LatePaymentInterest of={of} />
    </>
  )
}

/** Buttons to send a reminder, to record a promise, pause or note, and to resume reminders. */
function Buttons({
  of,
  plan: { state, pausedUntil, notes },
}: {
  readonly of: InvoiceRecord
  readonly plan: DunningPlan
}) {
  const actor = useActor()
  const [asking, setAsking] = useState<'promise' | 'pause' | 'note'>()
  const [dialog, ask] = useConfirm()
  const resume = useDunningMutation(() => callApi<DunningPlan>('POST', `${of['@id']}/dunning/resume`))
  if (of.state !== 'open') return null
  const isHeld = state === 'held'
  const mayPause = hasRole(actor, FINANCE_ROLES) && state !== 'ended'
  const go = async () => {
    const question = isHeld
      ? 'Reminders will be sent again as configured, and a subscription’s card will be charged again.'
      : 'The pause will end today, and any steps that became due during the pause will follow.'
    if (await ask({ title: 'Resume reminders', question, action: 'Resume', meaning: 'attention' }))
      resume.mutate(undefined, { onError: (e: Error) => toast.failed(e) })
  }
  return (
    <div className={css.head}>
      {!isHeld && !pausedUntil && <SendReminderButton of={of} />}
      {mayPause && !isHeld && (
        <>
          <Button variant="default" onClick={() => setAsking('promise')}>
            Record a promise
          </Button>
          <Button variant="default" onClick={() => setAsking('pause')}>
            {pausedUntil ? 'Extend pause' : 'Pause reminders'}
          </Button>
        </>
      )}
      {mayPause && (isHeld || pausedUntil) && (
        <Button variant="default" loading={resume.isPending} onClick={() => void go()}>
          Resume reminders
        </Button>
      )}
      <Button variant="default" onClick={() => setAsking('note')}>
        Note
      </Button>
      {dialog}
      <ChaseDialog of={{ ...of, notes }} asking={asking} onClose={() => setAsking(undefined)} />
    </div>
  )
}
