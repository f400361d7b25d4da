import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isActionAllowedOnRecord } from '#kernel/can.ts'
import { formatMoney } from '#kernel/money.ts'
import { hasRole } from '#kernel/roles.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { refund } from './charge.ts'
import { type RefundRecord, usePaymentMutation } from './data.web.ts'
import { ActionErrorAlert } from './refund-form.web.tsx'

/** Actions on a refund that awaits approval. A second person approves or declines it; the requester can withdraw it. */
export function RefundApprovalActions({ of }: { readonly of: RefundRecord }) {
  const actor = useActor()
  if (of.state !== 'waiting' || !hasRole(actor, FINANCE_ROLES)) return null
  const amount = formatMoney(of.amount, of.currency)
  return (
    <TwoPersonApprovalActions
      of={of}
      what="refund"
      isSecond={isActionAllowedOnRecord(actor, 'approve', refund, of)}
      question={`${amount} will be refunded to ${of.customer.companyName ?? 'the customer'}: ${of.reason}. This can’t be undone.`}
      action={`Refund ${amount}`}
    />
  )
}

interface DecisionProps {
  readonly of: { readonly '@id': string }
  /** Noun for the request, such as `refund`. */
  readonly what: string
  /** True if the viewer may approve the request. Otherwise the viewer made the request and may withdraw it. */
  readonly isSecond: boolean
  readonly question: string
  readonly action: string
}

/** Buttons to approve, decline or withdraw a request that needs two people. */
export function TwoPersonApprovalActions({ of, what, isSecond, question, action }: DecisionProps) {
  const [rejecting, setRejecting] = useState(false)
  const [dialog, ask] = useConfirm()
  const act = usePaymentMutation((path: 'approve' | 'withdraw') => callApi('POST', `${of['@id']}/${path}`))
  const close = () => setRejecting(false)
  const run = (path: 'approve' | 'withdraw') => act.mutate(path, { onError: (e) => toast.failed(e) })
  const approve = async () => {
    if (await ask({ title: `Approve this ${what}`, question, action, meaning: 'attention' })) run('approve')
  }
  if (!isSecond)
    return (
      <Button variant="subtle" loading={act.isPending} onClick={() => run('withdraw')}>
        Withdraw
      </Button>
    )
  return (
    <Group gap="xs">
      <Button variant="default" loading={act.isPending} onClick={() => void approve()}>
        Approve
      </Button>
      <Button variant="subtle" color="red" onClick={() => setRejecting(true)}>
        Decline
      </Button>
      {dialog}
      <Dialog opened={rejecting} onClose={close} title={`Decline this ${what}`} size="32rem">
        <Reject of={of} what={what} onDone={close} />
      </Dialog>
    </Group>
  )
}

function Reject({ of, what, onDone }: Pick<DecisionProps, 'of' | 'what'> & { readonly onDone: () => void }) {
  const [reason, setReason] = useState('')
  const reject = usePaymentMutation(() => callApi('POST', `${of['@id']}/reject`, { reason: reason.trim() }))
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (reason.trim()) reject.mutate(undefined, { onSuccess: onDone })
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Reason (Required)"
          description={`Shown to the person who requested the ${what}.`}
          maxLength={500}
          value={reason}
          onChange={(e) => setReason(e.currentTarget.value)}
          data-autofocus
        />
        <ActionErrorAlert error={reject.error} title="Not saved" />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" color="red.8" loading={reject.isPending} disabled={!reason.trim()}>
          Decline
        </Button>
      </DialogActions>
    </form>
  )
}
