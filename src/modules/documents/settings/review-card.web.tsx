import '@mantine/core/styles/NumberInput.layer.css'
import { Button, NumberInput, Text } from '@mantine/core'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import page from '#web/ui/page.module.css'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import { type DocumentTypeSettings, type SettingChange, useRefetchDocumentTypeSettings } from './kinds.web.ts'
import { reviewPeriod } from './numbering.ts'
import css from './settings.module.css'
import { type DocumentTypeSettingRow, useDocumentTypeSettingRows } from './use-setting-rows.web.ts'

/** Who last changed a setting, and when. Renders nothing for a setting that was never changed. */
export const SettingChangeNote = ({ changed }: { readonly changed: SettingChange | null }) =>
  changed && (
    <p className={page.quiet}>
      Changed by <PersonName username={changed.by} />, {formatIsoAsUkDateTime(changed.at)}
    </p>
  )

interface Props {
  readonly clientId: number
  readonly kinds: readonly DocumentTypeSettings[]
}

export function ReviewPeriodsCard({ clientId, kinds }: Props) {
  const rows = kinds.map(
    ({ kind, review }): DocumentTypeSettingRow<{ months: number | null }> => ({
      kind,
      id: review.id,
      stored: { months: review.own },
    }),
  )
  const form = useDocumentTypeSettingRows(
    reviewPeriod,
    rows,
    'review periods',
    useRefetchDocumentTypeSettings(clientId),
  )
  const guard = useUnsavedChangesGuard(form.dirty && !form.saving)
  return (
    <section className={page.card} aria-labelledby="review">
      <h2 id="review">Review</h2>
      <Text>
        Default number of months until the next review when a document is approved or reviewed. Documents already
        approved keep their review date.
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
                <SettingChangeNote changed={review.changed} />
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
