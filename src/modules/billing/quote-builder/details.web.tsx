import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Autocomplete, NativeSelect, NumberInput, SegmentedControl, Switch, Text, Textarea, Title } from '@mantine/core'
import { useState } from 'react'
import type { Violation } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { usePersonAddressees } from '#modules/crm/people/data.web.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { MoneyInput } from '#web/forms/inputs/money-input.tsx'
import { RichText } from '#web/forms/inputs/rich-text.tsx'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { useIsProviderStaff } from '../billing-urls.web.ts'
import { findExcessDiscount, findQuoteDiscountProblems } from '../catalogue/coupon-rules.ts'
import type { SavedQuoteTotals } from '../lines/line.ts'
import { DISCOUNT_DURATIONS } from '../quotes/quote.ts'
import { EMPTY_QUOTE_DRAFT, type QuoteDraft, quoteInputId } from './draft.web.ts'
import css from './editing.module.css'

export const findFieldError = (violations: readonly Violation[], field: string) =>
  violations.find((v) => v.propertyPath === field)?.message

interface DetailsProps {
  readonly draft: QuoteDraft
  readonly set: (change: Partial<QuoteDraft>) => void
  readonly violations: readonly Violation[]
  readonly email: string
  readonly lead: number | undefined
  /** Totals of the lines; `undefined` if there are no lines or they can't be totalled. */
  readonly totals: SavedQuoteTotals | undefined
}

/** Fields of the quote other than its lines: VAT, discount, dates, owner, recipient, message and terms. */
export function QuoteDetails({ draft, set, violations, email, lead, totals }: DetailsProps) {
  const isStaff = useIsProviderStaff()
  return (
    <section aria-labelledby="details">
      <Title order={2} size="h4" id="details" mb="sm">
        Details
      </Title>
      <div className={css.details}>
        <NumberInput
          id={quoteInputId('taxPercent')}
          label="VAT %"
          description="Default VAT rate"
          hideControls
          min={0}
          max={100}
          decimalScale={4}
          value={draft.taxPercent ?? ''}
          error={findFieldError(violations, 'taxPercent')}
          onChange={(v) => set({ taxPercent: v === '' ? null : Number(v) })}
        />
        <QuoteDiscountFields draft={draft} set={set} violations={violations} totals={totals} />
        <DateField
          id={quoteInputId('expiresAt')}
          label="Valid until"
          description="If left blank, the date is set from the quote settings when you send the quote"
          value={draft.expiresAt}
          error={findFieldError(violations, 'expiresAt')}
          onChange={(expiresAt) => set({ expiresAt })}
        />
        {isStaff && (
          <RemoteSelect
            id={quoteInputId('ownedBy')}
            label="Owner"
            target={staff}
            value={draft.owner}
            params={{ tray: false }}
            onChange={(iri) => set({ owner: iri })}
            error={findFieldError(violations, 'ownedBy')}
          />
        )}
        <QuoteRecipientField
          lead={lead}
          usual={email}
          value={draft.emailTo}
          error={findFieldError(violations, 'emailTo')}
          onChange={(emailTo) => set({ emailTo })}
        />
        <DateField
          label="Billing starts"
          description="If left blank, billing starts on acceptance"
          value={draft.billingCycleAnchor}
          onChange={(billingCycleAnchor) => set({ billingCycleAnchor })}
        />
        <div>
          <Switch
            label="Charge part periods pro rata"
            checked={draft.prorate}
            onChange={(e) => set({ prorate: e.currentTarget.checked })}
          />
          <Switch
            mt="sm"
            label="Send by e-mail"
            checked={draft.sendEmail}
            onChange={(e) => set({ sendEmail: e.currentTarget.checked })}
          />
        </div>
        <Textarea
          className={css.wide ?? ''}
          id={quoteInputId('message')}
          label="Message to the customer"
          autosize
          minRows={2}
          maxLength={5000}
          value={draft.message}
          onChange={(e) => set({ message: e.currentTarget.value })}
        />
        <div className={css.wide}>
          <RichText label="Terms" value={draft.terms} onChange={(terms) => set({ terms })} />
        </div>
      </div>
    </section>
  )
}

/** The quote's own discount: an amount or a percentage, and the payments to which it applies. */
function QuoteDiscountFields({ draft, set, violations, totals }: Omit<DetailsProps, 'email' | 'lead'>) {
  const [blankUnit, setBlankUnit] = useState<'percent' | 'amount'>('percent')
  // Unsaved input that was stored before these fields existed does not contain them.
  const { discountPercent, discountAmount, discountDuration, discountPeriods } = { ...EMPTY_QUOTE_DRAFT, ...draft }
  const hasDiscount = discountPercent !== null || discountAmount !== null
  const unit = discountAmount !== null ? 'amount' : discountPercent !== null ? 'percent' : blankUnit
  const known = [...findQuoteDiscountProblems(draft), ...findExcessDiscount(draft, totals), ...violations]
  const error = findFieldError(known, 'discountPercent') ?? findFieldError(known, 'discountAmount')
  const setUnit = (to: string) => {
    setBlankUnit(to === 'amount' ? 'amount' : 'percent')
    // The number is unchanged: 10% becomes £10.00.
    if (to === 'amount' && discountPercent !== null)
      set({ discountPercent: null, discountAmount: Math.round(discountPercent * 100) })
    if (to === 'percent' && discountAmount !== null)
      set({ discountPercent: discountAmount / 100, discountAmount: null })
  }
  return (
    <>
      <div className={css.discount}>
        {unit === 'amount' ? (
          <MoneyInput
            id={quoteInputId('discountAmount')}
            label="Discount"
            value={discountAmount}
            error={error}
            onChange={(pence) => {
              setBlankUnit('amount')
              set({ discountAmount: pence })
            }}
          />
        ) : (
          <NumberInput
            id={quoteInputId('discountPercent')}
            label="Discount"
            hideControls
            min={0}
            max={100}
            decimalScale={4}
            value={discountPercent ?? ''}
            error={error}
            onChange={(v) => {
              setBlankUnit('percent')
              set({ discountPercent: v === '' ? null : Number(v) })
            }}
          />
        )}
        <SegmentedControl
          aria-label="Unit of the discount"
          data={[
            { value: 'percent', label: '%' },
            { value: 'amount', label: formatMoney(0, totals?.currency ?? 'GBP').charAt(0) },
          ]}
          value={unit}
          onChange={setUnit}
        />
      </div>
      {hasDiscount && (
        <NativeSelect
          label="Discount applies to"
          data={[...DISCOUNT_DURATIONS]}
          value={discountDuration}
          onChange={(e) => set({ discountDuration: e.currentTarget.value as typeof discountDuration })}
        />
      )}
      {hasDiscount && discountDuration === 'periods' && (
        <NumberInput
          id={quoteInputId('discountPeriods')}
          label="Number of payments"
          hideControls
          min={1}
          max={120}
          allowDecimal={false}
          value={discountPeriods ?? ''}
          error={findFieldError(violations, 'discountPeriods')}
          onChange={(v) => set({ discountPeriods: v === '' ? null : Number(v) })}
        />
      )}
    </>
  )
}

interface RecipientProps {
  readonly lead: number | undefined
  readonly usual: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (email: string) => void
}

/** Recipient field that offers the company's contacts and accepts any other address. */
function QuoteRecipientField({ lead, usual, value, error, onChange }: RecipientProps) {
  const known = new Map(usePersonAddressees(lead).map(({ email, who }) => [email, who]))
  return (
    <Autocomplete
      id={quoteInputId('emailTo')}
      label="Send to"
      type="email"
      autoComplete="off"
      placeholder={usual}
      data={[...known.keys()]}
      // Shows all options regardless of the input, so that the user can replace the address.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{known.get(option.value) || option.value}</Text>
          {known.get(option.value) && (
            <Text size="xs" c="dimmed">
              {option.value}
            </Text>
          )}
        </div>
      )}
      value={value}
      error={error}
      onChange={onChange}
    />
  )
}
