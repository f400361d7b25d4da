import '@mantine/core/styles/NumberInput.layer.css'
import { ActionIcon, Button, NumberInput, Text, Textarea, Title } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import type { Violation } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { MoneyInput } from '#web/forms/inputs/money-input.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { findQuantityProblem } from '../lines/line.ts'
import { QUOTE_LINE_LIST_NAMES, type QuoteLineListName } from '../lines/lines.ts'
import { describeBillingInterval } from '../lines/payment-words.ts'
import {
  findQuoteLineErrors,
  moveQuoteDraftLine,
  type QuoteDraftLine,
  type QuoteDraftLines,
  quoteInputId,
} from './draft.web.ts'
import css from './editing.module.css'

const TITLES: Readonly<Record<QuoteLineListName, string>> = {
  plans: 'Plans',
  skus: 'Items',
  additionalItems: 'Custom lines',
}

interface Props {
  readonly lines: QuoteDraftLines
  readonly onChange: (list: QuoteLineListName, lines: readonly QuoteDraftLine[]) => void
  readonly violations: readonly Violation[]
}

/**
 * The quote's lines in their three lists. Tab moves between the fields; Alt with an arrow key moves a line, and Alt
 * with Delete removes it.
 */
export function QuoteLinesEditor({ lines, onChange, violations }: Props) {
  const shown = QUOTE_LINE_LIST_NAMES.filter((list) => lines[list].length)
  if (!shown.length)
    return <Text c="dimmed">No lines yet. Type a plan, product or description in the field above.</Text>
  return shown.map((list) => (
    <section key={list} aria-label={TITLES[list]}>
      <Title order={2} size="h4">
        {TITLES[list]}
      </Title>
      {lines[list].map((line, i) => (
        <Row
          key={line.key}
          line={line}
          wrong={findQuoteLineErrors(violations, list, i)}
          onChange={(next) =>
            onChange(
              list,
              lines[list].map((l) => (l.key === line.key ? next : l)),
            )
          }
          onMove={(by) => onChange(list, moveQuoteDraftLine(lines[list], line.key, by))}
          onRemove={() => {
            onChange(
              list,
              lines[list].filter((l) => l.key !== line.key),
            )
            document.querySelector<HTMLInputElement>('[data-product-search]')?.focus()
          }}
        />
      ))}
    </section>
  ))
}

interface RowProps {
  readonly line: QuoteDraftLine
  readonly wrong: ReturnType<typeof findQuoteLineErrors>
  readonly onChange: (line: QuoteDraftLine) => void
  readonly onMove: (by: 1 | -1) => void
  readonly onRemove: () => void
}

const numberOf = (v: string | number) => (v === '' || Number.isNaN(Number(v)) ? null : Number(v))

function Row({ line, wrong, onChange, onMove, onRemove }: RowProps) {
  const article = line.plan ?? line.sku
  const name = line.description || 'this line'
  const onKeyDown = (e: KeyboardEvent<HTMLElement>) => {
    const button = (e.target as HTMLElement).tagName === 'BUTTON'
    if (e.altKey && (e.key === 'ArrowUp' || e.key === 'ArrowDown')) onMove(e.key === 'ArrowUp' ? -1 : 1)
    else if (e.key === 'Delete' && (e.altKey || button)) onRemove()
    else return
    e.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would put its legend into the grid
    <div role="group" aria-label={name} className={css.row} onKeyDown={onKeyDown} data-line={line.key}>
      {/* The field grows with the text, but screen readers treat it as a single line. */}
      <Textarea
        id={quoteInputId('description', line.key)}
        label="Description"
        autosize
        minRows={1}
        value={line.description}
        error={wrong.description}
        maxLength={500}
        onKeyDown={(e) => {
          if (e.key === 'Enter' && !e.ctrlKey && !e.metaKey) e.preventDefault()
        }}
        onChange={(e) => onChange({ ...line, description: e.currentTarget.value.replaceAll(/\s*\n\s*/g, ' ') })}
      />
      <NumberInput
        id={quoteInputId('quantity', line.key)}
        label="Quantity"
        hideControls
        clampBehavior="none"
        decimalScale={4}
        value={line.quantity ?? ''}
        error={findQuantityProblem(line) ?? wrong.quantity}
        onChange={(v) => onChange({ ...line, quantity: numberOf(v) })}
      />
      <MoneyInput
        id={quoteInputId('unitAmount', line.key)}
        label="Unit price"
        places={6}
        value={line.unitAmount}
        readOnly={!!article}
        error={wrong.unitAmount}
        onChange={(unitAmount) => onChange({ ...line, unitAmount })}
      />
      <NumberInput
        id={quoteInputId('discountPercent', line.key)}
        label="Discount %"
        hideControls
        min={0}
        max={100}
        decimalScale={4}
        value={line.discountPercent ?? ''}
        error={wrong.discountPercent}
        onChange={(v) => onChange({ ...line, discountPercent: numberOf(v) })}
      />
      <NumberInput
        id={quoteInputId('taxPercent', line.key)}
        label="VAT %"
        hideControls
        min={0}
        max={100}
        decimalScale={4}
        placeholder="Default"
        value={line.taxPercent ?? ''}
        error={wrong.taxPercent}
        onChange={(v) => onChange({ ...line, taxPercent: numberOf(v) })}
      />
      <span className={css.rowEnd}>
        <ActionIcon variant="subtle" aria-label={`Move ${name} up`} onClick={() => onMove(-1)}>
          <IconArrowUp size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="subtle" aria-label={`Move ${name} down`} onClick={() => onMove(1)}>
          <IconArrowDown size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="subtle" aria-label={`Remove ${name}`} onClick={onRemove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </span>
      {line.interval && (
        <span className={css.rowNote}>{describeBillingInterval(line.interval, line.intervalCount)}</span>
      )}
      {article && article.amount !== line.unitAmount && (
        <span className={css.rowNote}>
          The price is now {formatMoney(article.amount, article.currency)}.{' '}
          <Button size="compact-sm" variant="default" onClick={() => onChange({ ...line, unitAmount: article.amount })}>
            Use the new price
          </Button>
        </span>
      )}
      {article?.retired && (
        <span className={css.rowNote}>This item is no longer sold. Remove the line before you send the quote.</span>
      )}
      {wrong.line && <ErrorText className={css.rowNote ?? ''}>{wrong.line}</ErrorText>}
    </div>
  )
}
