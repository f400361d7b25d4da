import '@mantine/core/styles/NumberInput.layer.css'
import { Button, Group, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import css from '../billing.module.css'
import { sku } from '../catalogue/plan.ts'
import { MANUAL_MOVEMENT_TYPES, stockMovement } from './stock-movement.ts'

type Item = RecordOf<typeof sku>

const plainNumber = (n: number) => n.toLocaleString('en-GB', { maximumFractionDigits: 4 })

/** Quantity in stock. Negative stock is also shown in words, because colour alone is not enough. */
export function StockQuantity({ of }: { readonly of: Pick<Item, 'stocked' | 'onHand' | 'unit'> }) {
  if (!of.stocked) return <>—</>
  const words = `${plainNumber(of.onHand)}${of.unit ? ` ${of.unit}` : ''}`
  return of.onHand < 0 ? (
    <StatusChip meaning="stop">{`${words}, negative`}</StatusChip>
  ) : (
    <span className={css.money}>{words}</span>
  )
}

const KINDS = new Map((stockMovement.fields.kind.options ?? []).map(({ value, label }) => [value, label]))

export function ItemStock({ of }: { readonly of: Item }) {
  const moves = useList(stockMovement, { sku: of.id, itemsPerPage: 20 }, { enabled: of.stocked })
  if (!of.stocked)
    return (
      <Text size="sm" c="dimmed" mb="md">
        Stock is not tracked for this item. To start, select “Track stock” and save the item.
      </Text>
    )
  const rows = moves.data?.['hydra:member']
  return (
    <section aria-labelledby="stock">
      <h3 id="stock">
        In stock: <StockQuantity of={of} />
      </h3>
      <Move of={of} />
      {moves.isError ? (
        <ErrorState error={moves.error} onRetry={() => void moves.refetch()} />
      ) : !rows ? (
        <LoadingRows rows={3} />
      ) : (
        <ol className={css.list} aria-label="Stock movements, latest first">
          {rows.length === 0 && <li>No stock movements yet</li>}
          {rows.map((m) => (
            <li key={m.id} className={css.row}>
              <span>{KINDS.get(m.kind)}</span>
              {m.reason && <span>{m.reason}</span>}
              <DateTimeText at={m.createdAt} day />
              <span className={css.money}>
                {m.quantity > 0 ? '+' : '−'}
                {plainNumber(Math.abs(m.quantity))}, then {plainNumber(m.onHand)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function Move({ of }: { readonly of: Item }) {
  const queries = useQueryClient()
  const keys = useMemo(() => createIdempotencyKeys(), [])
  const [kind, setKind] = useState<(typeof MANUAL_MOVEMENT_TYPES)[number]['value']>('received')
  const [many, setMany] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const isCount = kind === 'counted'
  const adds = MANUAL_MOVEMENT_TYPES.find(({ value }) => value === kind)?.adds
  const save = useMutation({
    mutationFn: () => {
      const body = isCount
        ? { onHand: many, reason: reason.trim() }
        : { sku: of['@id'], quantity: adds === false ? -(many ?? 0) : many, kind, reason: reason.trim() }
      return callApi('POST', isCount ? `${of['@id']}/count` : stockMovement.url, body, {
        idempotencyKey: keys.keyFor(body),
      })
    },
    onSuccess: async () => {
      keys.forget()
      setMany(null)
      setReason('')
      toast.saved('the stock')
      await Promise.all([sku, stockMovement].map((r) => queries.invalidateQueries({ queryKey: [r.url] })))
    },
  })
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        e.stopPropagation()
        if (many !== null && reason.trim()) save.mutate()
      }}
    >
      <Stack gap="sm" mb="md">
        <Group grow align="end">
          <NativeSelect
            label="Type"
            data={MANUAL_MOVEMENT_TYPES.map(({ value, label }) => ({ value, label }))}
            value={kind}
            onChange={(e) => setKind(e.currentTarget.value as typeof kind)}
          />
          <NumberInput
            label={isCount ? 'Quantity counted (Required)' : 'Quantity (Required)'}
            hideControls
            min={0}
            decimalScale={4}
            value={many ?? ''}
            onChange={(v) => setMany(v === '' ? null : Number(v))}
          />
          <TextInput
            label="Reason (Required)"
            maxLength={500}
            value={reason}
            onChange={(e) => setReason(e.currentTarget.value)}
          />
        </Group>
        {save.error && <ErrorText>{errorSentence(save.error)}</ErrorText>}
        <Group>
          <Button type="submit" variant="default" loading={save.isPending} disabled={many === null || !reason.trim()}>
            {isCount ? 'Record count' : 'Record movement'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
