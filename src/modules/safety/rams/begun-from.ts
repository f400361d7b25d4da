import { isRow, rowsOf } from '#kernel/forms/rows.ts'
import { iriOf } from '#kernel/resource.ts'
import { textOf } from '#kernel/text.ts'
import { document } from '#modules/documents/types/document.ts'
import type { BegunFrom } from '#modules/documents/types/kind.ts'
import { contractGroup, placeFields } from '../shared-fields/fields.ts'

const paper = (target: string) => ({ target, file: null, notes: '' })

/** A pack takes its job from the paper that it is begun from, and has it in it, with the documents that the paper refers to. */
export function takenFrom({ source }: BegunFrom): Readonly<Record<string, unknown>> {
  if (!source) return {}
  const { record } = source
  const job = ['description', ...[...placeFields, ...contractGroup.fields].map(({ name }) => name), 'supervisor']
  const referred = ['associated', 'coshh'].flatMap((field) =>
    rowsOf(record[field]).flatMap(({ target }) => (isRow(target) ? textOf(target['@id']) : [])),
  )
  return {
    ...Object.fromEntries(job.flatMap((name) => (record[name] ? [[name, record[name]]] : []))),
    papers: [...new Set([iriOf(document, Number(record.id)), ...referred])].map(paper),
  }
}
