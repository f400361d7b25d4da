import '@mantine/core/styles/NumberInput.layer.css'
import { Button, NumberInput, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SettingSource } from '#kernel/in-use.ts'
import { iriOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { formatMoment } from '#web/dates/uk-dates.ts'
import page from '#web/ui/page.module.css'
import { useUnsavedGuard } from '#web/ui/unsaved.tsx'
import type { DocumentKind } from '../types/kind.ts'
import { clientIdOf, type DocumentRecord } from '../types/record.web.ts'
import { reviewPeriod } from './numbering.ts'
import { safetySettings } from './safety-settings.ts'
import css from './settings.module.css'
import { type SettingRow, useSettingRows } from './use-rows.web.ts'

/** Author and time of a setting's last change. */
interface SettingChange {
  readonly by: string
  readonly at: string
}

interface Setting {
  /** ID of the company's own row, if any. */
  readonly id: number | null
  readonly from: SettingSource
  readonly changed: SettingChange | null
}

/** Review and numbering settings of a type in a company; `otherwise` is the default. */
export interface DocumentTypeSettings {
  readonly kind: string
  readonly name: string
  readonly review: Setting & { readonly months: number; readonly own: number | null; readonly otherwise: number }
  readonly numbering: Setting & {
    readonly prefix: string
    readonly digits: number
    readonly own: { readonly prefix: string | null; readonly digits: number | null }
    readonly otherwise: { readonly prefix: string; readonly digits: number }
    readonly nextNumber: number
  }
}

const keyOf = (clientId: number | undefined) => [safetySettings.url, 'kinds', clientId]

export const useDocumentTypeSettings = (clientId: number | undefined) =>
  useQuery({
    queryKey: keyOf(clientId),
    queryFn: ({ signal }) =>
      callApi<{ readonly kinds: readonly DocumentTypeSettings[] }>(
        'GET',
        `${iriOf(safetySettings, clientId ?? 0)}/kinds`,
        undefined,
        { signal },
      ),
    enabled: clientId !== undefined,
  })

export function useRefetchSettings(clientId: number) {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: keyOf(clientId) })
}

/** Months from approval to the next review in the document's company; the type's default until loaded. */
export function useReviewMonths(kind: DocumentKind, record: DocumentRecord): number {
  const found = useDocumentTypeSettings(clientIdOf(record))
  return found.data?.kinds.find((k) => k.kind === kind.kind)?.review.months ?? kind.reviewMonths
}

/** Author and time of a setting's last change. */
export const SettingChangedBy = ({ changed }: { readonly changed: SettingChange | null }) =>
  changed && (
    <p className={page.quiet}>
      Changed by {changed.by}, {formatMoment(changed.at)}
    </p>
  )

interface Props {
  readonly clientId: number
  readonly kinds: readonly DocumentTypeSettings[]
}

export function ReviewPeriodsCard({ clientId, kinds }: Props) {
  const rows = kinds.map(
    ({ kind, review }): SettingRow<{ months: number | null }> => ({
      kind,
      id: review.id,
      stored: { months: review.own },
    }),
  )
  const form = useSettingRows(reviewPeriod, rows, 'review periods', useRefetchSettings(clientId))
  const guard = useUnsavedGuard(form.dirty && !form.saving)
  return (
    <section className={page.card} aria-labelledby="review">
      <h2 id="review">Review</h2>
      <Text>
        Default months until the next review when a document is approved or reviewed. Documents already approved keep
        their review date.
      </Text>
      <form
        noValidate
        aria-labelledby="review"
        onSubmit={(e) => {
          e.preventDefault()
          void form.submit()
        }}
      >
        <div className={css.kinds}>
          {rows.map((row, i) => {
            const { name, review } = kinds[i]!
            return (
              <div key={row.kind} className={css.kind}>
                <NumberInput
                  label={name}
                  description={`Months, from 1 to 60 (default ${review.otherwise}).`}
                  placeholder={String(review.otherwise)}
                  value={form.valueOf(row).months ?? ''}
                  onChange={(v) => form.type(row, { months: typeof v === 'number' ? v : null })}
                  error={form.refusalOf(row, 'months') ?? form.refusalOf(row)}
                  min={1}
                  max={60}
                  clampBehavior="none"
                  allowDecimal={false}
                  hideControls
                />
                <SettingChangedBy changed={review.changed} />
              </div>
            )
          })}
        </div>
        <Button type="submit" loading={form.saving} disabled={!form.dirty} mt="md">
          Save review periods
        </Button>
      </form>
      {guard}
    </section>
  )
}
