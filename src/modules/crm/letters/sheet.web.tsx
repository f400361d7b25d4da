import { Alert, Stack, Text } from '@mantine/core'
import { ukDate } from '#kernel/time.ts'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import css from './sheet.module.css'

/** A letter as a lead gets it. */
export interface Sheet {
  readonly addressee: string | null
  readonly subject: string | null
  readonly body: string | null
  /** When it was printed; today, unless it was. */
  readonly printedAt?: string
  /** Why it can't be printed. */
  readonly refusal?: string
}

/** A letter as it will lie in its envelope, or as it did. */
export function LetterSheet({ of: sheet }: { readonly of: Sheet }) {
  const at = sheet.printedAt ? Temporal.Instant.from(sheet.printedAt) : Temporal.Now.instant()
  return (
    <Stack gap="sm">
      {sheet.refusal && <Alert color="yellow">{sheet.refusal}.</Alert>}
      <section aria-label="As they get it" className={css.sheet}>
        <div className={css.head}>
          <Text className={css.lines}>{sheet.addressee}</Text>
          <Text>{ukDate(at)}</Text>
        </div>
        <Text fw={700}>{sheet.subject}</Text>
        <RichTextView html={sheet.body ?? ''} />
      </section>
    </Stack>
  )
}
