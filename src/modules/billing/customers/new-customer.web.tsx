import { Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { contact } from '#modules/crm/contacts/contact.ts'
import { client } from '#modules/portal/clients/client.ts'
import { callApi } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { ErrorSummary } from '#web/forms/error-summary.tsx'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { DialogActions } from '#web/ui/dialog.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { useIsProviderStaff } from '../billing-urls.web.ts'
import { coupon } from '../catalogue/coupon.ts'
import { customer } from './customer.ts'
import type { CustomerRecord } from './data.web.ts'

interface Props {
  /** ID of the lead, if known. */
  readonly lead?: string
  readonly onCancel: () => void
  readonly onSaved: (made: CustomerRecord) => void
}

const FROM = [
  { value: 'contact', label: 'A lead' },
  { value: 'client', label: 'A client' },
  { value: 'neither', label: 'Someone new' },
]

/** Creates a customer from a lead, a client or new details. */
export function NewCustomerForm({ lead, onCancel, onSaved }: Props) {
  const queries = useQueryClient()
  const keys = useMemo(() => createIdempotencyKeys(), [])
  const isStaff = useIsProviderStaff()
  const [from, setFrom] = useState(isStaff ? 'contact' : 'neither')
  const [values, setValues] = useState<Record<string, string | null>>({ contact: lead ?? null })
  const [attempt, setAttempt] = useState(0)
  const set = (name: string) => (value: string | null) => setValues((v) => ({ ...v, [name]: value }))
  const typed = (name: string) => ({
    value: values[name] ?? '',
    onChange: (e: { currentTarget: HTMLInputElement }) => set(name)(e.currentTarget.value),
  })
  const body = {
    ...(values.email?.trim() ? { email: values.email.trim() } : {}),
    ...(values.coupon ? { coupon: values.coupon } : {}),
    ...(from === 'neither'
      ? { metadata: filled({ company_name: values.company, contact_name: values.person, telephone: values.telephone }) }
      : { [from]: values[from] }),
  }
  const save = useMutation({
    mutationFn: () =>
      callApi<CustomerRecord>('POST', from === 'neither' ? customer.url : `${customer.url}/from`, body, {
        idempotencyKey: keys.keyFor(body),
      }),
    onSuccess: (made) => {
      toast.saved(made.companyName ?? 'the customer')
      void queries.invalidateQueries({ queryKey: [customer.url, 'list'] })
      void queries.invalidateQueries({ queryKey: [contact.url] })
      onSaved(made)
    },
    onSettled: () => setAttempt((n) => n + 1),
  })
  const errors = save.isError
    ? errorSentence(save.error)
        .split('\n')
        .map((message) => ({ message }))
    : []
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        save.mutate()
      }}
    >
      <Stack gap="md">
        <ErrorSummary errors={errors} attempt={attempt} retry={() => save.mutate()} />
        {!lead && isStaff && (
          <SegmentedControl data={FROM} value={from} onChange={setFrom} aria-label="Create customer from" />
        )}
        {from === 'contact' && (
          <RemoteSelect
            label="Lead (Required)"
            target={contact}
            value={values.contact}
            onChange={set('contact')}
            params={{ retired: false }}
            readOnly={lead !== undefined}
          />
        )}
        {from === 'client' && (
          <RemoteSelect
            label="Client (Required)"
            target={client}
            value={values.client}
            onChange={set('client')}
            params={{ retired: false }}
          />
        )}
        {from === 'neither' && (
          <>
            <TextInput label="Company" {...typed('company')} />
            <TextInput label="Contact name" {...typed('person')} />
            <TextInput label="Telephone" type="tel" {...typed('telephone')} />
          </>
        )}
        <TextInput
          label={from === 'neither' ? 'E-mail (Required)' : 'E-mail'}
          type="email"
          description={from === 'neither' ? undefined : 'Leave empty to use the e-mail address on record.'}
          {...typed('email')}
        />
        {/* Leads have no coupon field here, because the quote form that follows has one. */}
        {!lead && (
          <RemoteSelect
            label="Coupon"
            target={coupon}
            value={values.coupon}
            onChange={set('coupon')}
            params={{ retired: false }}
          />
        )}
        <Text size="sm" c="dimmed">
          Quotes and invoices go to this e-mail address. You can change it later.
        </Text>
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending}>
          Create customer
        </Button>
      </DialogActions>
    </form>
  )
}

const filled = (o: Record<string, string | null | undefined>) =>
  Object.fromEntries(Object.entries(o).filter(([, v]) => v?.trim()))
