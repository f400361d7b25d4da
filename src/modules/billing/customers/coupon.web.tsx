import { Button, Group, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { now } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import page from '#web/ui/page.module.css'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { coupon } from '../catalogue/coupon.ts'
import { couponRejection, couponWords } from '../catalogue/coupon-rules.ts'
import { type CustomerRecord, useCustomerAction } from './data.web.ts'

/** Coupon of a customer, its effect, and a way to change it. */
export function CustomerCoupon({ of }: { readonly of: CustomerRecord }) {
  const [choosing, setChoosing] = useState(false)
  const held = useApiRecord(coupon, of.coupon?.id).data
  const set = useCustomerAction(of.id, (iri: string) => callApi('PUT', of['@id'], { coupon: iri }))
  const off = useCustomerAction(of.id, () => callApi('POST', `${of['@id']}/detach-coupon`))
  const refused = held && couponRejection(held, { now: now(), redeemed: true })
  return (
    <section className={page.card} aria-labelledby="coupon">
      <Title order={2} size="h4" id="coupon">
        Coupon
      </Title>
      {of.coupon ? (
        <div>
          <Text fw={600}>{of.coupon.name}</Text>
          {held && <Text size="sm">{couponWords(held)}</Text>}
          {refused && (
            <StatusChip meaning="attention" title={refused}>
              No longer valid
            </StatusChip>
          )}
        </div>
      ) : (
        <Text size="sm">No coupon</Text>
      )}
      {choosing && (
        <RemoteSelect
          label="Choose a coupon"
          target={coupon}
          value={null}
          params={{ retired: false }}
          autoFocus
          error={set.isError ? errorSentence(set.error) : undefined}
          onChange={(iri) =>
            iri &&
            set.mutate(iri, {
              onSuccess: () => {
                setChoosing(false)
                toast.saved('the coupon')
              },
            })
          }
        />
      )}
      <Group gap="sm">
        <Button variant="default" loading={set.isPending} onClick={() => setChoosing(!choosing)}>
          {choosing ? 'Cancel' : of.coupon ? 'Choose another' : 'Choose a coupon'}
        </Button>
        {of.coupon && !choosing && (
          <Button
            variant="default"
            loading={off.isPending}
            onClick={() =>
              off.mutate(undefined, {
                onSuccess: () => toast.saved('coupon removed'),
                onError: (e) => toast.failed(e),
              })
            }
          >
            Remove
          </Button>
        )}
      </Group>
    </section>
  )
}
