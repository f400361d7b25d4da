import '@mantine/core/styles/NumberInput.layer.css'
import {
  ActionIcon,
  Alert,
  Button,
  Group,
  NativeSelect,
  NumberInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import type { Violation } from '#kernel/errors.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import { TAX_CODE_OPTIONS, type TaxCode } from '#kernel/money/tax-codes.ts'
import { formatMoney } from '#kernel/money.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { MoneyInput } from '#web/forms/inputs/money-input.tsx'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { RestoredInputNotice, useStoredInput } from '#web/forms/stored-input.tsx'
import { linkedRecordIri } from '#web/forms/values.ts'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { useBillingUrls } from '../billing-urls.web.ts'
import { customer } from '../customers/customer.ts'
import { FinancialDocumentView } from '../print/financial-document.web.tsx'
import { newQuoteLineKey, type QuoteDraftLine } from '../quote-builder/draft.web.ts'
import editing from '../quote-builder/editing.module.css'
import { CatalogueSearch } from '../quote-builder/search.web.tsx'
import { type InvoiceRecord, useInvoiceMutation } from './data.web.ts'
import css from './editor.module.css'
import { invoice } from './invoice.ts'
import { buildInvoiceDocument } from './paper.ts'

type InvoiceLineRecord = InvoiceRecord['lines'][number]
interface InvoiceLineInput
  extends Pick<QuoteDraftLine, 'key' | 'description' | 'quantity' | 'unitAmount' | 'discountPercent' | 'plan' | 'sku'> {
  readonly '@id'?: string
  readonly taxCode: TaxCode | null
  readonly reverseCode: 'standard' | 'reduced' | null
  readonly from: string | null
  readonly to: string | null
}

interface InvoiceDraftInput {
  readonly customer: unknown
  readonly dueOn: string | null
  readonly percentOff: number | null
  readonly exchangeRate: number | null
  readonly poNumber: string | null
  readonly notes: string
  readonly lines: readonly InvoiceLineInput[]
}

const typedOf = (l: InvoiceLineRecord): InvoiceLineInput => ({ ...l, key: l['@id'] })

const draftOf = (of: InvoiceRecord | undefined, forWhom: string | undefined): InvoiceDraftInput => ({
  customer: of?.customer ?? forWhom ?? null,
  dueOn: of?.dueOn ?? null,
  percentOff: of?.percentOff ?? null,
  exchangeRate: of?.exchangeRate ?? null,
  poNumber: of?.poNumber ?? null,
  notes: of?.notes ?? '',
  lines: of?.lines.map(typedOf) ?? [],
})

const bodyOf = (d: InvoiceDraftInput): Record<string, unknown> => ({
  ...d,
  customer: linkedRecordIri(d.customer),
  // If this is undefined, a new invoice uses its customer's purchase order number.
  poNumber: d.poNumber ?? undefined,
  lines: d.lines.map(({ plan, sku, ...l }) => ({
    ...(l['@id'] ? { '@id': l['@id'] } : {}),
    plan: linkedRecordIri(plan),
    sku: linkedRecordIri(sku),
    description: l.description,
    quantity: l.quantity,
    unitAmount: l.unitAmount,
    discountPercent: l.discountPercent ?? null,
    taxCode: l.taxCode,
    reverseCode: l.reverseCode,
    from: l.from,
    to: l.to,
  })),
})

const saidOf = (violations: readonly Violation[], path: string) =>
  violations
    .filter((v) => v.propertyPath === path)
    .map((v) => v.message)
    .join(' ') || undefined

interface Props {
  /** Draft to edit; omitted for a new invoice. */
  readonly of?: InvoiceRecord
  /** Customer of a new invoice. */
  readonly forWhom?: string
}

/** Invoice editor: lines on the left, the last saved version on the right. */
export function InvoiceEditor({ of, forWhom }: Props) {
  const go = useNavigate()
  const places = useBillingUrls()
  const keys = useMemo(() => createIdempotencyKeys(), [])
  const stored = useStoredInput(
    of ? `invoice ${of.id}` : `invoice for ${forWhom ?? 'a customer'}`,
    () => draftOf(of, forWhom),
    of?.updatedAt,
  )
  const { input: draft, dirty } = stored
  const set = (change: Partial<InvoiceDraftInput>) => stored.change((d) => ({ ...d, ...change }))
  const who = useApiRecord(customer, idFromAnyIri(linkedRecordIri(draft.customer))).data
  const currency = who?.currency ?? of?.currency ?? 'GBP'
  const save = useInvoiceMutation(() => {
    const body = bodyOf(draft)
    return of
      ? callApi<InvoiceRecord>('PUT', of['@id'], body)
      : callApi<InvoiceRecord>('POST', invoice.url, body, { idempotencyKey: keys.keyFor(body) })
  })
  const violations = save.error instanceof ApiError ? save.error.violations : []
  const setLine = (next: InvoiceLineInput) => set({ lines: draft.lines.map((l) => (l.key === next.key ? next : l)) })
  return (
    <div className={editing.builder}>
      <form
        className={editing.column}
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          save.mutate(undefined, {
            onSuccess: (made) => {
              stored.setDirty(false)
              stored.setInput(draftOf(made, undefined))
              toast.saved('the draft')
              if (!of) void go(places.invoice(made.id), { replace: true })
            },
          })
        }}
      >
        <RestoredInputNotice of={stored} isSaved={of !== undefined} />
        {save.error && (
          <Alert color="red" role="alert" title="Not saved">
            {violations.length
              ? violations.map((v) => <div key={v.propertyPath + v.message}>{v.message}</div>)
              : errorSentence(save.error)}
          </Alert>
        )}
        <RemoteSelect
          label="Customer (Required)"
          target={customer}
          value={draft.customer}
          onChange={(iri) => set({ customer: iri })}
          params={{ retired: false }}
          required
          error={saidOf(violations, 'customer')}
        />
        <CatalogueSearch
          currency={currency}
          onAdd={(_, line) =>
            set({
              lines: [
                ...draft.lines,
                { ...line, key: newQuoteLineKey(), taxCode: null, reverseCode: null, from: null, to: null },
              ],
            })
          }
        />
        {draft.lines.length === 0 && (
          <Text c="dimmed">No lines yet. Type a plan, product or description in the field above.</Text>
        )}
        {draft.lines.map((line, i) => (
          <Row
            key={line.key}
            line={line}
            symbol={formatMoney(0, currency).charAt(0)}
            said={(field) => saidOf(violations, `lines[${i}].${field}`)}
            onChange={setLine}
            onRemove={() => set({ lines: draft.lines.filter((l) => l.key !== line.key) })}
          />
        ))}
        <Group grow align="start">
          <NumberInput
            label="Discount on the invoice, %"
            hideControls
            min={0}
            max={100}
            value={draft.percentOff ?? ''}
            error={saidOf(violations, 'percentOff')}
            onChange={(v) => set({ percentOff: v === '' ? null : Number(v) })}
          />
          <TextInput
            label="Purchase order"
            maxLength={50}
            value={draft.poNumber ?? who?.poNumber ?? ''}
            onChange={(e) => set({ poNumber: e.currentTarget.value })}
          />
        </Group>
        <Group grow align="start">
          <DateField
            label="Due"
            description={`If left blank: ${who?.paymentDays ?? 14} days after issue`}
            value={draft.dueOn}
            onChange={(dueOn) => set({ dueOn })}
            error={saidOf(violations, 'dueOn')}
          />
          {currency !== 'GBP' && (
            <NumberInput
              label={`${currency} per £1`}
              description="HM Revenue & Customs’ rate for the month"
              hideControls
              value={draft.exchangeRate ?? ''}
              error={saidOf(violations, 'exchangeRate')}
              onChange={(v) => set({ exchangeRate: v === '' ? null : Number(v) })}
            />
          )}
        </Group>
        <Textarea
          label="Message to the customer"
          autosize
          minRows={2}
          maxLength={5000}
          value={draft.notes}
          onChange={(e) => set({ notes: e.currentTarget.value })}
        />
        <Group>
          <Button type="submit" loading={save.isPending}>
            Save draft
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {dirty ? 'Not saved yet; stored on this device only' : of ? 'Saved' : ''}
          </Text>
        </Group>
      </form>
      {of && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long paper is scrolled by the keyboard too
        <section className={editing.sticky} aria-label="Last saved version" tabIndex={0}>
          <FinancialDocumentView sheet={buildInvoiceDocument(of)} />
        </section>
      )}
    </div>
  )
}

const REVERSE_REDUCED = 'reverse reduced'
/** Types of VAT, with one option for each rate of the reverse charge. */
const VAT_OPTIONS = [
  ...TAX_CODE_OPTIONS.map((o) => (o.value === 'reverse' ? { ...o, label: 'Reverse charge, standard rate' } : o)),
  { value: REVERSE_REDUCED, label: 'Reverse charge, reduced rate' },
]

type LineVatInput = Pick<InvoiceLineInput, 'taxCode' | 'reverseCode'>

const vatOptionOf = ({ taxCode, reverseCode }: LineVatInput): string =>
  taxCode === 'reverse' && reverseCode === 'reduced' ? REVERSE_REDUCED : (taxCode ?? '')

const vatOf = (option: string): LineVatInput =>
  option === REVERSE_REDUCED
    ? { taxCode: 'reverse', reverseCode: 'reduced' }
    : { taxCode: (option || null) as TaxCode | null, reverseCode: null }

interface RowProps {
  readonly line: InvoiceLineInput
  readonly symbol: string
  readonly said: (field: string) => string | undefined
  readonly onChange: (line: InvoiceLineInput) => void
  readonly onRemove: () => void
}

function Row({ line, symbol, said, onChange, onRemove }: RowProps) {
  const name = line.description || 'this line'
  const isArticle = Boolean(line.plan || line.sku)
  return (
    <fieldset className={css.line} aria-label={name}>
      <Textarea
        label="Description"
        autosize
        minRows={1}
        maxLength={500}
        value={line.description}
        error={said('description') ?? said('plan') ?? said('sku')}
        onChange={(e) => onChange({ ...line, description: e.currentTarget.value.replaceAll(/\s*\n\s*/g, ' ') })}
      />
      <div className={css.figures}>
        <NumberInput
          label="Quantity"
          hideControls
          clampBehavior="none"
          value={line.quantity ?? ''}
          error={said('quantity')}
          onChange={(v) => onChange({ ...line, quantity: v === '' ? null : Number(v) })}
        />
        <MoneyInput
          label="Unit price"
          places={6}
          symbol={symbol}
          value={line.unitAmount}
          readOnly={isArticle}
          error={said('unitAmount')}
          onChange={(unitAmount) => onChange({ ...line, unitAmount })}
        />
        <NumberInput
          label="Discount %"
          hideControls
          min={0}
          max={100}
          decimalScale={4}
          value={line.discountPercent ?? ''}
          error={said('discountPercent')}
          onChange={(v) => onChange({ ...line, discountPercent: v === '' ? null : Number(v) })}
        />
        <NativeSelect
          label="VAT"
          data={[
            { value: '', label: isArticle ? 'Same as catalogue' : 'Standard rate' },
            ...VAT_OPTIONS.filter((o) => isArticle || o.value !== 'standard'),
          ]}
          value={line.taxCode === 'standard' && !isArticle ? '' : vatOptionOf(line)}
          error={said('taxCode') ?? said('reverseCode')}
          onChange={(e) => onChange({ ...line, ...vatOf(e.currentTarget.value) })}
        />
      </div>
      <div className={css.figures}>
        <DateField
          label="Period from"
          value={line.from}
          onChange={(from) => onChange({ ...line, from })}
          error={said('from')}
        />
        <DateField label="Period to" value={line.to} onChange={(to) => onChange({ ...line, to })} error={said('to')} />
        <Stack justify="end">
          <ActionIcon variant="subtle" color="red" size="lg" aria-label={`Remove ${name}`} onClick={onRemove}>
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </Stack>
      </div>
    </fieldset>
  )
}
