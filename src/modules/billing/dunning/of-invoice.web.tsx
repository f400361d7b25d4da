import { Alert, Button, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { hasRole } from '#kernel/roles.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import css from '../billing.module.css'
import type { InvoiceRecord } from '../invoices/data.web.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { DunningChip } from './chip.web.tsx'
import { describeDunningStep, useDunningMutation, useDunningPlan } from './data.web.ts'
import type { DunningPlan } from './dunning.ts'
import { PauseDunningForm } from './pause.web.tsx'

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
  const { steps, next, final, pausedUntil, pauseReason, pausedBy, underWay, state } = plan
  return (
    <>
      {pausedUntil && (
        <Alert color="blue" title={`Paused until ${formatIsoDateAsUk(pausedUntil)}`}>
          {pauseReason} ({pausedBy})
        </Alert>
      )}
      {state === 'held' && (
        <Alert color="yellow" title="On hold">
          A payment was refunded or is disputed. Reminders stay on hold until you resume them.
        </Alert>
      )}
      {underWay && (
        <Text size="sm">A payment is in progress. No further steps will be taken until the bank has responded.</Text>
      )}
      <Title order={3} size="h6">
        Upcoming
      </Title>
      {next.length === 0 ? (
        <Text size="sm">No automatic reminders</Text>
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
        Sent
      </Title>
      {steps.length === 0 ? (
        <Text size="sm">None yet</Text>
      ) : (
        <ul className={css.list} aria-label="Sent">
          {steps.map((step) => (
            <li key={step.id} className={css.row}>
              <span>
                {step.description}
                <Text size="sm" c="dimmed">
                  {step.sentTo ? `E-mail to ${step.sentTo}` : 'No e-mail'}
                </Text>
              </span>
              <span>{formatIsoDateAsUk(step.day)}</span>
            </li>
          ))}
        </ul>
      )}
      <Buttons of={of} plan={plan} />
    </>
  )
}

/** Buttons to pause reminders after a promise to pay, and to resume them. */
function Buttons({ of, plan: { state, pausedUntil } }: { readonly of: InvoiceRecord; readonly plan: DunningPlan }) {
  const actor = useActor()
  const [pausing, setPausing] = useState(false)
  const [dialog, ask] = useConfirm()
  const resume = useDunningMutation(() => callApi<DunningPlan>('POST', `${of['@id']}/dunning/resume`))
  const close = () => setPausing(false)
  if (of.state !== 'open' || !hasRole(actor, FINANCE_ROLES) || state === 'ended') return null
  const isHeld = state === 'held'
  const go = async () => {
    const question = isHeld
      ? 'Reminders will be sent again as configured, and a subscription’s card will be charged again.'
      : 'The pause will end today, and any steps that became due during the pause will follow.'
    if (await ask({ title: 'Resume reminders', question, action: 'Resume', meaning: 'attention' }))
      resume.mutate(undefined, { onError: (e) => toast.failed(e) })
  }
  return (
    <div className={css.head}>
      {!isHeld && (
        <Button variant="default" onClick={() => setPausing(true)}>
          {pausedUntil ? 'Extend pause' : 'Pause reminders'}
        </Button>
      )}
      {(isHeld || pausedUntil) && (
        <Button variant="default" loading={resume.isPending} onClick={() => void go()}>
          Resume reminders
        </Button>
      )}
      {dialog}
      <Dialog opened={pausing} onClose={close} title={`Pause reminders for ${of.number}`} size="32rem">
        <PauseDunningForm of={of} onDone={close} />
      </Dialog>
    </div>
  )
}
