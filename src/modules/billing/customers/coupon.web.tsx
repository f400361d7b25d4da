import { Button, Group, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { now } from '#kernel/time.ts'
import { call } from '#web/api/client.ts'
import { useOne } from '#web/api/resources.ts'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import page from '#web/ui/page.module.css'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { sentence, toast } from '#web/ui/toast.ts'
import { coupon } from '../catalogue/coupon.ts'
import { couponWords, whyNot } from '../catalogue/coupon-rules.ts'
import { type Customer, useCustomerCall } from './data.web.ts'

/** Coupon of a customer, its effect, and a way to change it. */
export function Coupon({ of }: { readonly of: Customer }) {
  const [choosing, setChoosing] = useState(false)
  const held = useOne(coupon, of.coupon?.id).data
  const set = useCustomerCall(of.id, (iri: string) => call('PUT', of['@id'], { coupon: iri }))
  const off = useCustomerCall(of.id, () => call('POST', `${of['@id']}/detach-coupon`))
  const refused = held && whyNot(held, { now: now(), redeemed: true })
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
          error={set.isError ? sentence(set.error) : undefined}
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
