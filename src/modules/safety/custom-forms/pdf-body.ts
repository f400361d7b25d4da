import { type FineAnswers, isDefect } from '#kernel/forms/fine.ts'
import { hasAnswer } from '#kernel/forms/has-answer.ts'
import { toRowObjects } from '#kernel/forms/rows.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { calculateAnswerPoints } from '#kernel/forms/score.ts'
import { uploadsInAnswer } from '#kernel/forms/uploads.ts'
import { type Values, visibleForm } from '#kernel/forms/visible.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import { parseSignature, toPrintableSignatureDrawing } from '#kernel/signature.ts'

import { formatDocumentValue } from '#modules/documents/types/value-text.ts'

/** Returns an answer as one line of plain text, for a spreadsheet cell. */
export function formAnswerText(field: FormField, value: unknown): string {
  if (field.kind === 'signature') return parseSignature(value)?.name ?? ''
  if (field.kind === 'uploads') return countOf(uploadsInAnswer(value).length)
  if (field.kind === 'rows')
    return toRowObjects(value)
      .map((row) =>
        (field.fields ?? [])
          .flatMap((f) => {
            const said = formAnswerText(f, row[f.name])
            return said ? `${f.label}: ${said}` : []
          })
          .join('; '),
      )
      .join('\n')
  const text = formatDocumentValue(field, value)
  return isDefect(field, value) && !/defect/i.test(text) ? `${text} (defect)` : text
}

const countOf = (files: number) => (files === 0 ? '' : files === 1 ? '1 file' : `${files} files`)

/**
 * Returns the score of a completed form as text, such as "12 of 15 (80%)". Returns an empty string if the form has no
 * score.
 */
export const formScoreText = ({
  points,
  outOf,
  percent,
}: {
  readonly points: number | null
  readonly outOf: number | null
  readonly percent: number | null
}): string => (points === null || outOf === null ? '' : `${points} of ${outOf} (${percent ?? 0}%)`)

/**
 * Returns the name of a person who answered by link, such as `Lena Link, Ladders Ltd (by link)`; an empty string for an
 * account's answer.
 */
export const linkRespondentText = ({
  byLink,
  name,
  company,
}: {
  readonly byLink: boolean | null
  readonly name: string | null
  readonly company: string | null
}): string => (byLink ? `${[name, company].filter(Boolean).join(', ')} (by link)` : '')

/**
 * Returns a description of answers that were entered together, such as `5 answers entered together on 28/07/2026
 * 07:41`.
 */
export const fineAnswersText = ({ at, questions }: FineAnswers): string =>
  `${questions.length} ${questions.length === 1 ? 'answer' : 'answers'} entered together ${at ? `on ${formatDocumentValue({ kind: 'instant' }, at)}` : 'at an unknown time'}`

interface ShownQuestion {
  readonly id?: number
  readonly base64: string
  readonly alt: string
  readonly caption: string
}

/**
 * Returns the input for a completed form's PDF template. Includes every question shown to the user, whether answered or
 * not.
 */
export function toCompletedFormPdfInput(
  schema: FormSchema,
  answers: Values,
  images: readonly ShownQuestion[],
  at: string,
  together: readonly FineAnswers[] = [],
) {
  const fine = new Set(together.flatMap((press) => press.questions))
  return {
    steps: visibleForm(schema, answers).steps.map(({ step, groups }) => ({
      title: step.title,
      together: fineAnswersOfStep(groups, together).map(fineAnswersText),
      groups: groups.map(({ group, fields }) => ({
        title: group.title ?? '',
        facts: fields.map((field) => ({
          ...printedAnswer(field, answers[field.name], at),
          together: fine.has(field.name),
          defect: isDefect(field, answers[field.name]),
        })),
      })),
    })),
    // Each picture's caption includes its question.
    images: fieldsOf(schema, answers).flatMap(({ label, file }) =>
      images.flatMap((image) => (image.id === file ? [{ ...image, caption: `${label}: ${image.caption}` }] : [])),
    ),
  }
}

/** Returns the answers entered together in one section. */
export const fineAnswersOfStep = (
  groups: readonly { readonly fields: readonly FormField[] }[],
  together: readonly FineAnswers[],
): readonly FineAnswers[] =>
  together.flatMap((press) => {
    const questions = press.questions.filter((name) => groups.some(({ fields }) => fields.some((f) => f.name === name)))
    return questions.length ? [{ ...press, questions }] : []
  })

/** Returns a completed form's files in order, each with the label of its question. */
function fieldsOf(schema: FormSchema, answers: Values): { label: string; file: number | undefined }[] {
  const under = (field: FormField, value: unknown, label: string): { label: string; file: number | undefined }[] =>
    field.kind === 'uploads'
      ? uploadsInAnswer(value).map((upload) => ({ label, file: idFromAnyIri(upload['@id']) }))
      : field.kind === 'rows'
        ? toRowObjects(value).flatMap((row, i) =>
            (field.fields ?? []).flatMap((own) => under(own, row[own.name], `${field.label} ${i + 1}, ${own.label}`)),
          )
        : []
  return visibleForm(schema, answers).steps.flatMap(({ groups }) =>
    groups.flatMap(({ fields }) => fields.flatMap((f) => under(f, answers[f.name], f.label))),
  )
}

function printedAnswer(field: FormField, value: unknown, at: string) {
  const { label, kind } = field
  if (!hasAnswer(field, value)) return { label, kind: 'text', text: '' }
  if (kind === 'richText') return { label, kind: 'words', words: { html: String(value) } }
  if (kind === 'rows') {
    const columns = field.fields ?? []
    const rows = toRowObjects(value).map((row) => columns.map((f) => formAnswerText(f, row[f.name])))
    return { label, kind: 'rows', columns: columns.map((f) => f.label), rows }
  }
  if (kind === 'signature') {
    const given = parseSignature(value)
    const ink = given?.method === 'finger' ? toPrintableSignatureDrawing(given) : undefined
    return {
      label,
      kind: 'signature',
      signature: { name: given?.name ?? '', at, method: given?.method ?? 'typed', ...ink },
    }
  }
  const text = formAnswerText(field, value)
  const counted = calculateAnswerPoints(field, value)
  const points = counted ? `${counted[0]} of ${counted[1]}` : ''
  return { label, kind: 'text', text, points }
}
