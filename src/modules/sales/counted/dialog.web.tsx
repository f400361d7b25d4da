import { Anchor, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { canRunActionInState } from '#kernel/can.ts'
import { hasRole } from '#kernel/roles.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { MoneyCell } from '../money.web.tsx'
import { SALES_MANAGER_ROLE } from '../rights.ts'
import type { CountedSaleRecord } from './columns.web.tsx'
import { countedSale, RENEWAL_OUTCOMES } from './counted-sale.ts'

const FIELDS = ['what', 'day', 'seller', 'amount', 'currency', 'product', 'contact', 'company', 'notes'] as const

/** Dialog to add, change, check or retire a sale. */
export function SaleDialog({
  of,
  onClose,
}: {
  readonly of: CountedSaleRecord | 'new' | undefined
  readonly onClose: () => void
}) {
  const title = of === 'new' ? 'New sale' : 'Sale'
  return (
    <Dialog opened={of !== undefined} onClose={onClose} title={title}>
      {of === 'new' && <ResourceForm resource={countedSale} fields={FIELDS} onCancel={onClose} onSaved={onClose} />}
      {of && of !== 'new' && <One of={of} onClose={onClose} />}
    </Dialog>
  )
}

function One({ of, onClose }: { readonly of: CountedSaleRecord; readonly onClose: () => void }) {
  const actor = useActor()
  const client = useQueryClient()
  const [why, setWhy] = useState<'retire' | 'lose'>()
  const [reason, setReason] = useState('')
  const ask = (path: 'retire' | 'lose') => (why === path ? act.mutate({ path, body: { reason } }) : setWhy(path))
  const act = useMutation({
    mutationFn: ({ path, body }: { path: string; body: object }) => callApi('POST', `${of['@id']}/${path}`, body),
    onSuccess: () => {
      toast.saved(of.what)
      onClose()
    },
    onSettled: () => client.invalidateQueries(),
  })
  const isOthers = of.person === null || !of.person.endsWith(`/${actor.userId}`)
  const mayChange = hasRole(actor, SALES_MANAGER_ROLE) || !isOthers
  return (
    <Stack>
      {(of.retired || !mayChange) && (
        <Text>
          {of.what}, {formatIsoDateAsUk(of.day)}: <MoneyCell pence={of.amount} currency={of.currency} />
        </Text>
      )}
      {of.retired && <Text>Retired: {of.reason}</Text>}
      {!of.retired && mayChange && (
        <ResourceForm resource={countedSale} record={of} fields={FIELDS} onCancel={onClose} onSaved={onClose} />
      )}
      {of.quote && (
        <Anchor component={Link} to={`/crm/quote/${of.quote.id}`}>
          {`Quote ${of.quote.reference}`}
        </Anchor>
      )}
      {of.contact && (
        <Anchor component={Link} to={`/crm/contact/view/${of.contact.id}`}>
          View lead
        </Anchor>
      )}
      {of.renewsOn && (
        <Text>
          Renewal due on {formatIsoDateAsUk(of.renewsOn)}. {RENEWAL_OUTCOMES.find((r) => r.value === of.renewal)?.label}
          {of.renewalReason && `: ${of.renewalReason}`}
        </Text>
      )}
      {why && (
        <Textarea
          label={why === 'retire' ? 'Reason for retiring the sale' : 'Reason for non-renewal'}
          required
          value={reason}
          maxLength={1000}
          autosize
          onChange={(e) => setReason(e.currentTarget.value)}
        />
      )}
      {act.isError && <FormErrorText>{errorSentence(act.error)}</FormErrorText>}
      <Group>
        {!of.retired && isOthers && canRunActionInState(actor, 'check', countedSale, of.state) && (
          <Button loading={act.isPending} onClick={() => act.mutate({ path: 'check', body: { version: of.version } })}>
            Check sale
          </Button>
        )}
        {!of.retired && mayChange && (
          <Button variant="default" disabled={why === 'retire' && !reason.trim()} onClick={() => ask('retire')}>
            {why === 'retire' ? 'Retire sale' : 'Retire sale…'}
          </Button>
        )}
        {!of.retired && mayChange && of.renewal === 'open' && (
          <Button variant="default" disabled={why === 'lose' && !reason.trim()} onClick={() => ask('lose')}>
            {why === 'lose' ? 'Mark as not renewed' : 'Mark as not renewed…'}
          </Button>
        )}
        {!of.retired && mayChange && of.renewal === 'lost' && (
          <Button variant="default" loading={act.isPending} onClick={() => act.mutate({ path: 'hope', body: {} })}>
            Reopen renewal
          </Button>
        )}
        {of.retired && canRunActionInState(actor, 'restore', countedSale, of.state) && (
          <Button loading={act.isPending} onClick={() => act.mutate({ path: 'restore', body: {} })}>
            Restore
          </Button>
        )}
      </Group>
    </Stack>
  )
}
