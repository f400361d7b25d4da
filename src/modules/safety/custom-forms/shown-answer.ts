import { rowsOf } from '#kernel/forms/rows.ts'
import type { FormField } from '#kernel/forms/schema.ts'
import { uploadsIn } from '#kernel/forms/uploads.ts'
import { readSignature } from '#kernel/signature.ts'
import { showValue } from '#modules/documents/types/value-text.ts'

/** An answer as one line of plain text, for a spreadsheet cell. */
export function answerText(field: FormField, value: unknown): string {
  if (field.kind === 'signature') return readSignature(value)?.name ?? ''
  if (field.kind === 'uploads') return countOf(uploadsIn(value).length)
  if (field.kind === 'rows')
    return rowsOf(value)
      .map((row) =>
        (field.fields ?? [])
          .flatMap((f) => {
            const said = answerText(f, row[f.name])
            return said ? `${f.label}: ${said}` : []
          })
          .join('; '),
      )
      .join('\n')
  return showValue(field, value)
}

const countOf = (files: number) => (files === 0 ? '' : files === 1 ? '1 file' : `${files} files`)

/** Score of an answer: "12 of 15 (80%)". */
export const scoreText = ({
  points,
  outOf,
  percent,
}: {
  readonly points: number | null
  readonly outOf: number | null
  readonly percent: number | null
}): string => (points === null || outOf === null ? '' : `${points} of ${outOf} (${percent ?? 0}%)`)
