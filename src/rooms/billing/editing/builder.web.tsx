import { Alert, Button, Group, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { idAtEnd } from '#kernel/iri.ts'
import { MoneyError } from '#kernel/money.ts'
import { ApiError, call } from '#web/api/client.ts'
import { useOne } from '#web/api/resources.ts'
import { idempotencyKeys } from '#web/forms/idempotency.ts'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { iriOfLink } from '#web/forms/values.ts'
import { useProvider } from '#web/shell/pages/facts.ts'
import { say } from '#web/ui/say.ts'
import { useShortcuts } from '#web/ui/shortcuts.ts'
import { useUnsaved } from '#web/ui/unsaved.tsx'
import { coupon } from '../catalogue/coupon.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { customer } from '../customers/customer.ts'
import { type PaperSource, paperOf } from '../paper/paper.ts'
import { QuotePaper } from '../paper/paper.web.tsx'
import { type Quote, type Read, useQuoteCall } from '../quotes/data.web.ts'
import { quote } from '../quotes/quote.ts'
import { SendDialog } from '../quotes/send.web.tsx'
import { QuoteDetails, saidOf } from './details.web.tsx'
import { bodyOf, type Draft, draftOf, inputId, linesToSum, mergeSaved, NEW } from './draft.web.ts'
import css from './editing.module.css'
import { SaveFailure } from './failure.web.tsx'
import { QuoteLines } from './lines.web.tsx'
import { ProductSearch } from './search.web.tsx'

interface Props {
  /** The draft to go on with; without it, a new one. */
  readonly read?: Read
  /** For whom a new one is. */
  readonly customer?: string
  readonly onReload?: () => void
  /** After a new one is saved; without it, its own page opens. */
  readonly onMade?: (made: Quote) => void
}

/** Lines on the left, the paper on the right with its sums as one types. */
export function QuoteBuilder({ read, customer: forWhom, onReload, onMade }: Props) {
  const go = useNavigate()
  const provider = useProvider()
  const keys = useMemo(() => idempotencyKeys(), [])
  const [draft, setDraft] = useState<Draft>(() => (read ? draftOf(read.body) : { ...NEW, customer: forWhom ?? null }))
  const [dirty, setDirty] = useState(false)
  const [sending, setSending] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const set = (change: Partial<Draft>) => {
    setDraft((d) => ({ ...d, ...change }))
    setDirty(true)
  }
  const save = useQuoteCall(async ({ over = false }: { over?: boolean } = {}) => {
    const body = bodyOf(draft, !read)
    if (!read) return call<Quote>('POST', quote.url, body, { idempotencyKey: keys.keyFor(body) })
    return call<Quote>('PUT', read.body['@id'], body, read.etag && !over ? { ifMatch: read.etag } : {})
  })
  const unsaved = useUnsaved(dirty && !save.isPending)
  const saved = async (over = false): Promise<Quote | undefined> => {
    try {
      const sent = draft
      const q = await save.mutateAsync({ over })
      keys.forget()
      setDraft((now) => {
        if (now === sent) setDirty(false)
        return mergeSaved(now, sent, q)
      })
      say.saved()
      return q
    } catch {
      setAttempt((n) => n + 1)
      return undefined
    }
  }
  const onSave = async (over = false) => {
    const q = await saved(over)
    // The address first, when what was typed is no longer only here.
    if (q && !read) setTimeout(() => (onMade ? onMade(q) : void go(`/crm/quote/${q.id}`, { replace: true })))
  }
  useShortcuts([{ keys: 'mod+s', label: 'Save the draft', always: true, run: () => void onSave() }])
  const terms = useOne(coupon, idAtEnd(iriOfLink(draft.coupon))).data
  const who = useOne(customer, idAtEnd(iriOfLink(draft.customer))).data
  const currency = read?.body.currency ?? who?.currency ?? 'GBP'
  const drawn = drawnOf(draft, read?.body, { currency, company: who?.companyName ?? '', customer: who ?? null }, terms)
  const violations = save.error instanceof ApiError ? save.error.violations : []
  return (
    <>
      {unsaved}
      <div className={css.builder}>
        <div className={css.column}>
          {save.error && (
            <SaveFailure
              error={save.error}
              draft={draft}
              attempt={attempt}
              onOver={() => void onSave(true)}
              {...(onReload ? { onReload } : {})}
            />
          )}
          <Group align="end" grow>
            <RemoteSelect
              id={inputId('customer')}
              label="Customer (Required)"
              target={customer}
              value={draft.customer}
              onChange={(iri) => set({ customer: iri })}
              params={{ retired: false }}
              required
              error={saidOf(violations, 'customer')}
            />
            <RemoteSelect
              id={inputId('coupon')}
              label="Coupon"
              target={coupon}
              value={draft.coupon}
              onChange={(iri) => set({ coupon: iri })}
              params={{ retired: false }}
              error={saidOf(violations, 'coupon')}
            />
          </Group>
          <ProductSearch currency={currency} onAdd={(list, line) => set({ [list]: [...draft[list], line] })} />
          <QuoteLines lines={draft} onChange={(list, lines) => set({ [list]: lines })} violations={violations} />
          <QuoteDetails draft={draft} set={set} violations={violations} email={who?.email ?? ''} />
          <Group>
            <Button onClick={() => void onSave()} loading={save.isPending}>
              Save draft
            </Button>
            <Button
              variant="default"
              disabled={!read}
              title={read ? undefined : 'Save the draft first'}
              onClick={async () => {
                if (!dirty || (await saved())) setSending(true)
              }}
            >
              Preview and send
            </Button>
            <Text size="sm" c="dimmed" role="status">
              {save.isPending ? 'Saving…' : dirty ? 'Not saved yet' : read ? 'Saved' : ''}
            </Text>
          </Group>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long paper is scrolled by the keyboard too */}
        <section className={css.sticky} aria-label="Preview" tabIndex={0}>
          {typeof drawn === 'string' ? (
            <Alert color="red">{drawn}</Alert>
          ) : (
            <QuotePaper paper={drawn} provider={provider} />
          )}
        </section>
      </div>
      {read && <SendDialog quote={read.body} opened={sending} onClose={() => setSending(false)} />}
    </>
  )
}

/** The paper, or why there is none yet. */
function drawnOf(
  draft: Draft,
  saved: Quote | undefined,
  who: Pick<PaperSource, 'currency' | 'company' | 'customer'>,
  terms: CouponTerms | undefined,
) {
  try {
    return paperOf(
      {
        ...linesToSum(draft),
        ...who,
        reference: saved?.reference ?? 'New quote',
        state: 'draft',
        sentAt: null,
        taxPercent: draft.taxPercent,
        expiresAt: draft.expiresAt ? `${draft.expiresAt}T12:00:00Z` : null,
        terms: draft.terms,
        message: draft.message,
        owner: saved?.owner ?? null,
        supplier: saved?.supplier ?? null,
      },
      terms ?? null,
    )
  } catch (e) {
    if (e instanceof MoneyError) return e.line === undefined ? e.message : `Line ${e.line + 1}: ${e.message}`
    throw e
  }
}
