import { Alert, Button, Group, Text, TextInput } from '@mantine/core'
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Violation } from '#kernel/errors.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import { MoneyError } from '#kernel/money.ts'
import { londonDate } from '#kernel/time.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { ErrorSummary } from '#web/forms/error-summary.tsx'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { inputErrorSentence } from '#web/forms/sentence-for-input.ts'
import { RestoredInputNotice, useStoredInput } from '#web/forms/stored-input.tsx'
import { linkedRecordIri } from '#web/forms/values.ts'
import { useShortcuts } from '#web/ui/keys/shortcuts.ts'
import { isBehindDialog } from '#web/ui/overlays/layers.ts'
import { toast } from '#web/ui/toast.ts'
import { useBillingUrls, useSellerName } from '../billing-urls.web.ts'
import { coupon } from '../catalogue/coupon.ts'
import { type CouponTerms, quoteDiscountTerms } from '../catalogue/coupon-rules.ts'
import { customer } from '../customers/customer.ts'
import { measureDiscount } from '../lines/line.ts'
import { allQuoteLines } from '../lines/lines.ts'
import { buildQuoteDocument, type QuoteDocumentSource } from '../print/quote-document.ts'
import { QuoteDocumentView } from '../print/quote-document.web.tsx'
import { type LoadedQuote, type QuoteRecord, useQuoteMutation } from '../quotes/data.web.ts'
import { DraftDiscountNotice } from '../quotes/discount-approval.web.tsx'
import { quote } from '../quotes/quote.ts'
import { SendQuoteDialog } from '../quotes/send.web.tsx'
import { findFieldError, QuoteDetails } from './details.web.tsx'
import {
  EMPTY_QUOTE_DRAFT,
  findQuoteCouponProblem,
  isSameQuoteDraft,
  mergeSavedQuote,
  type QuoteDraft,
  type QuoteDraftLines,
  quoteInputId,
  toQuoteBody,
  toQuoteDraft,
  toQuoteFormError,
  toQuoteTotalsLines,
} from './draft.web.ts'
import css from './editing.module.css'
import { QuoteLinesEditor } from './lines.web.tsx'
import { remainingViolations } from './remaining-violations.web.ts'
import { CatalogueSearch } from './search.web.tsx'

interface FailureProps {
  readonly error: Error
  readonly violations: readonly Violation[]
  readonly draft: QuoteDraftLines
  readonly attempt: number
  readonly onOver: () => void
  readonly onReload?: () => void
}

/** Errors from saving. Input is retained, and each error links to its field. */
function QuoteSaveFailure({ error, violations, draft, attempt, onOver, onReload }: FailureProps) {
  if (error instanceof ApiError && error.status === 412)
    return (
      <Alert color="yellow" role="alert" title="Somebody else has changed this quote since you opened it">
        <Text size="sm">Your changes are still here. Load the other version, or replace it with yours.</Text>
        <Group mt="sm">
          {onReload && (
            <Button variant="default" onClick={onReload}>
              Load their version
            </Button>
          )}
          <Button onClick={onOver}>Keep my version</Button>
        </Group>
      </Alert>
    )
  const known = violations.map((v) => toQuoteFormError(v, draft))
  const errors = known.length ? known : [{ message: inputErrorSentence(error) }]
  return <ErrorSummary errors={errors} attempt={attempt} />
}

let made: number | undefined

/** Quote that has just been saved for the first time. Its form is then mounted again and must restore the focus. */
const firstSavedQuote = {
  of: (id: number): void => {
    made = id
  },
  /** Returns true if this quote has just been saved for the first time, but only once. */
  take: (id: number): boolean => {
    const isIt = made === id
    if (isIt) made = undefined
    return isIt
  },
}

export interface QuoteBuyer {
  /** IRI of the lead, so that unsaved input for one lead is never restored for another lead with the same name. */
  readonly lead: string
  readonly company: string
  readonly contactName: string | null
  readonly email: string
}

interface Props {
  readonly read?: LoadedQuote
  readonly customer?: string
  /** Lead that becomes a customer when the quote is saved. */
  readonly buyer?: QuoteBuyer
  readonly onReload?: () => void
  /** Called after the first save; by default, the quote's page opens. */
  readonly onMade?: (made: QuoteRecord) => void
  readonly ref?: Ref<QuoteBuilderHandle>
}

/** Methods that other parts of the screen can call. */
export interface QuoteBuilderHandle {
  readonly preview: () => void
}

/** Quote builder, with the lines on the left and a live preview with totals on the right. */
export function QuoteBuilder({ read, customer: forWhom, buyer, onReload, onMade, ref }: Props) {
  const go = useNavigate()
  const places = useBillingUrls()
  const seller = useSellerName()
  const keys = useMemo(() => createIdempotencyKeys(), [])
  const begun = (): QuoteDraft => (read ? toQuoteDraft(read.body) : { ...EMPTY_QUOTE_DRAFT, customer: forWhom ?? null })
  const stored = useStoredInput(
    read ? `quote ${read.body.id}` : `quote for ${forWhom ?? buyer?.lead ?? 'anybody'}`,
    begun,
    read?.etag ?? null,
  )
  const { input: draft, setInput: setDraft, dirty, setDirty, etag } = stored
  const [made, setMade] = useState<QuoteRecord>()
  const [sending, setSending] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const [refused, setRefused] = useState<QuoteDraft>()
  const known = made ?? read?.body
  const set = (change: Partial<QuoteDraft>) => stored.change((d) => ({ ...d, ...change }))
  const save = useQuoteMutation(async ({ over = false }: { over?: boolean } = {}) => {
    const body = { ...toQuoteBody(draft, !known), ...(buyer && !draft.customer ? { contact: buyer.lead } : {}) }
    if (!known) return callApi<QuoteRecord>('POST', quote.url, body, { idempotencyKey: keys.keyFor(body) })
    return callApi<QuoteRecord>('PUT', known['@id'], body, read && etag && !over ? { ifMatch: etag } : {})
  })
  /** Latest form values, for callbacks that were created earlier. */
  const typed = useRef(draft)
  useEffect(() => {
    typed.current = draft
  }, [draft])
  const saved = async (over = false) => {
    if (save.isPending) return undefined
    try {
      const sent = draft
      const q = await save.mutateAsync({ over })
      const isWhole = isSameQuoteDraft(typed.current, sent)
      keys.forget()
      setMade(q)
      setDraft((now) => {
        if (isSameQuoteDraft(now, sent)) setDirty(false)
        return mergeSavedQuote(isSameQuoteDraft(now, sent) ? sent : now, sent, q)
      })
      toast.saved(`quote ${q.reference}`)
      return { q, isWhole }
    } catch {
      setRefused(draft)
      setAttempt((n) => n + 1)
      return undefined
    }
  }
  // Opens the quote's own page after the first save, because the input is now saved on the server.
  const finish = (q: QuoteRecord) => {
    firstSavedQuote.of(q.id)
    setTimeout(() => (onMade ? onMade(q) : void go(places.quote(q.id), { replace: true, preventScrollReset: true })))
  }
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (read && firstSavedQuote.take(read.body.id)) button.current?.focus()
  }, [read])
  const onSave = async (over = false) => {
    const done = await saved(over)
    if (done && !read) finish(done.q)
  }
  const preview = async () => {
    if (known && !dirty) return setSending(true)
    // Input during the save opens no preview. The next click saves it first.
    if ((await saved())?.isWhole) setSending(true)
  }
  useImperativeHandle(ref, () => ({ preview: () => void preview() }))
  useShortcuts([
    { keys: 'mod+s', label: 'Save draft', always: true, run: () => void onSave() },
    { keys: 'mod+enter', label: 'Preview and send', always: true, run: () => !isBehindDialog() && void preview() },
  ])
  const terms = useApiRecord(coupon, idFromAnyIri(linkedRecordIri(draft.coupon))).data
  const who = useApiRecord(customer, idFromAnyIri(linkedRecordIri(draft.customer))).data
  const currency = read?.body.currency ?? who?.currency ?? 'GBP'
  const drawn = drawnOf(
    draft,
    known,
    !dirty,
    { currency, company: who?.companyName ?? buyer?.company ?? '', customer: who ?? buyer ?? null },
    terms,
  )
  const couponProblem = terms && findQuoteCouponProblem(terms, draft, currency)
  const own = draft.coupon === null ? who?.coupon : null
  const said = save.error instanceof ApiError ? save.error.violations : []
  const violations = refused ? remainingViolations(said, refused, draft) : said
  const isMended = said.length > 0 && violations.length === 0
  return (
    <>
      <div className={css.builder}>
        <div className={css.column}>
          <RestoredInputNotice of={stored} isSaved={read !== undefined} />
          {save.error && !isMended && (
            <QuoteSaveFailure
              error={save.error}
              violations={violations}
              draft={draft}
              attempt={attempt}
              onOver={() => void onSave(true)}
              {...(onReload
                ? {
                    onReload: () => {
                      stored.discard()
                      onReload()
                    },
                  }
                : {})}
            />
          )}
          <Group align="end" grow>
            {buyer && !draft.customer ? (
              <TextInput
                label="Customer"
                value={buyer.company}
                readOnly
                description="This lead will become a customer when you save the quote"
                error={findFieldError(violations, 'contact')}
              />
            ) : (
              <RemoteSelect
                id={quoteInputId('customer')}
                label="Customer (Required)"
                target={customer}
                value={draft.customer}
                onChange={(iri) => set({ customer: iri })}
                params={{ retired: false }}
                required
                error={findFieldError(violations, 'customer')}
              />
            )}
            <RemoteSelect
              id={quoteInputId('coupon')}
              label="Coupon"
              target={coupon}
              value={draft.coupon}
              onChange={(iri) => set({ coupon: iri })}
              params={{ retired: false }}
              error={findFieldError(violations, 'coupon') ?? couponProblem}
            />
          </Group>
          {own && (
            <Group>
              <Button variant="light" onClick={() => set({ coupon: own['@id'] })}>
                Use the customer’s coupon: {own.name}
              </Button>
            </Group>
          )}
          <CatalogueSearch
            currency={currency}
            autoFocus={buyer !== undefined}
            onAdd={(list, line) => set({ [list]: [...draft[list], line] })}
          />
          <QuoteLinesEditor lines={draft} onChange={(list, lines) => set({ [list]: lines })} violations={violations} />
          <QuoteDetails
            draft={draft}
            set={set}
            violations={violations}
            email={who?.email ?? buyer?.email ?? ''}
            lead={who?.contact?.id ?? idFromAnyIri(buyer?.lead)}
            totals={typeof drawn === 'string' || !drawn.lines.length ? undefined : drawn.totals}
          />
          {typeof drawn !== 'string' && (
            <DraftDiscountNotice of={known} isChanged={dirty} currency={drawn.currency} discount={drawn.discount} />
          )}
          <Group>
            {/* The button is never disabled, because a disabled button would lose the focus. */}
            <Button ref={button} onClick={() => void onSave()} aria-disabled={save.isPending}>
              Save draft
            </Button>
            <Button variant="default" onClick={() => void preview()}>
              Preview and send
            </Button>
            <Text size="sm" c="dimmed" role="status">
              {save.isPending ? 'Saving…' : dirty ? 'Not saved yet; stored on this device only' : known ? 'Saved' : ''}
            </Text>
          </Group>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long paper is scrolled by the keyboard too */}
        <section className={css.sticky} aria-label="Preview" tabIndex={0}>
          {typeof drawn === 'string' ? (
            <Alert color="red">{drawn}</Alert>
          ) : (
            <QuoteDocumentView paper={drawn} provider={seller} />
          )}
        </section>
      </div>
      {known && (
        <SendQuoteDialog
          quote={known}
          opened={sending}
          onClose={() => {
            setSending(false)
            if (!read) finish(known)
          }}
        />
      )}
    </>
  )
}

function drawnOf(
  draft: QuoteDraft,
  saved: QuoteRecord | undefined,
  isSaved: boolean,
  who: Pick<QuoteDocumentSource, 'currency' | 'company' | 'customer'>,
  terms: CouponTerms | undefined,
) {
  try {
    const lines = toQuoteTotalsLines(draft)
    const coupon = terms ?? quoteDiscountTerms(draft, who.currency)
    const { prorate } = draft
    const billingCycleAnchor = draft.billingCycleAnchor
      ? Date.parse(`${draft.billingCycleAnchor}T12:00:00Z`) / 1000
      : null
    const document = buildQuoteDocument(
      {
        ...lines,
        ...who,
        reference: saved?.reference ?? '',
        state: 'draft',
        sentAt: null,
        taxPercent: draft.taxPercent,
        billingCycleAnchor,
        prorate,
        expiresAt: draft.expiresAt ? `${draft.expiresAt}T12:00:00Z` : null,
        terms: draft.terms,
        message: draft.message,
        owner: saved?.owner ?? null,
        supplier: saved?.supplier ?? null,
        nextInvoices: isSaved ? (saved?.nextInvoices ?? null) : null,
      },
      coupon,
    )
    const start = { today: londonDate(Temporal.Now.instant()).toString(), billingCycleAnchor, prorate }
    const quoted = { currency: who.currency, lines: allQuoteLines(lines), coupon, start }
    const discount = measureDiscount(quoted)
    return { ...document, discount }
  } catch (e) {
    if (e instanceof MoneyError) return e.line === undefined ? e.message : `Line ${e.line + 1}: ${e.message}`
    throw e
  }
}
