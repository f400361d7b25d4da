import '@mantine/core/styles/NumberInput.layer.css'
import { Button, NumberInput, Text, TextInput } from '@mantine/core'
import page from '#web/ui/page.module.css'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import { type DocumentTypeSettings, useRefetchDocumentTypeSettings } from './kinds.web.ts'
import { formatDocumentNumber, numbering } from './numbering.ts'
import { SettingChangeNote } from './review-card.web.tsx'
import css from './settings.module.css'
import { type DocumentTypeSettingRow, useDocumentTypeSettingRows } from './use-setting-rows.web.ts'

interface Props {
  readonly clientId: number
  readonly kinds: readonly DocumentTypeSettings[]
}

interface NumberingInput extends Readonly<Record<string, unknown>> {
  readonly prefix: string | null
  readonly digits: number | null
}

/** Card with the number format of new documents by type, and the next number. */
export function NumberingCard({ clientId, kinds }: Props) {
  const rows = kinds.map(
    ({ kind, numbering: { id, own } }): DocumentTypeSettingRow<NumberingInput> => ({
      kind,
      id,
      stored: { prefix: own.prefix, digits: own.digits },
    }),
  )
  const form = useDocumentTypeSettingRows(numbering, rows, 'numbering', useRefetchDocumentTypeSettings(clientId))
  const guard = useUnsavedChangesGuard(form.dirty && !form.saving)
  return (
    <section className={page.card} aria-labelledby="numbering">
      <h2 id="numbering">Numbering</h2>
      <Text>
        Choose the format for new document numbers. Existing numbers never change, and no numbers are skipped.
      </Text>
      <form
        noValidate
        aria-labelledby="numbering"
        onSubmit={(e) => {
          e.preventDefault()
          void form.submit()
        }}
      >
        <div className={css.kinds}>
          {rows.map((row, i) => {
            const { name, numbering: now } = kinds[i]!
            const typed = form.valueOf(row)
            const next = formatDocumentNumber(
              (typed.prefix || now.otherwise.prefix).toUpperCase(),
              typed.digits ?? now.otherwise.digits,
              now.nextNumber,
            )
            return (
              <fieldset key={row.kind} className={css.kind}>
                <legend>{name}</legend>
                <div className={css.pair}>
                  <TextInput
                    label="Prefix"
                    placeholder={now.otherwise.prefix}
                    value={typed.prefix ?? ''}
                    onChange={(e) => form.type(row, { ...typed, prefix: e.currentTarget.value || null })}
                    error={form.refusalOf(row, 'prefix') ?? form.refusalOf(row)}
                    autoComplete="off"
                  />
                  <NumberInput
                    label="Digits"
                    placeholder={String(now.otherwise.digits)}
                    value={typed.digits ?? ''}
                    onChange={(v) => form.type(row, { ...typed, digits: typeof v === 'number' ? v : null })}
                    error={form.refusalOf(row, 'digits')}
                    clampBehavior="none"
                    allowDecimal={false}
                    hideControls
                  />
                </div>
                <p className={css.next}>Next: {next}</p>
                <SettingChangeNote changed={now.changed} />
              </fieldset>
            )
          })}
        </div>
        <Button type="submit" loading={form.saving} disabled={!form.dirty} mt="md">
          Save numbering
        </Button>
      </form>
      {guard}
    </section>
  )
}
