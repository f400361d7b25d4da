import { isRow, rowsOf } from '#kernel/forms/rows.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { countWords, textOf } from '#kernel/text.ts'
import type { ComparisonRules } from '#modules/documents/types/comparison-rules.ts'
import type { DocumentKindWeb } from '#modules/documents/types/kind.web.ts'
import { ramsPack } from './rams-pack.ts'

const FINGERPRINT = 8

/** Comparable values of a document in a pack: name, revision and notes. */
function paper({ target, file, notes }: Values): Values {
  if (isRow(target))
    return {
      name: `${textOf(target.documentNumber)} ${textOf(target.title) || 'A document you can’t access'}`,
      revision: target.revision,
      notes,
    }
  const of = isRow(file) ? file : {}
  return { name: textOf(of.label) || textOf(of.name), fingerprint: textOf(of.checksum).slice(0, FINGERPRINT), notes }
}

const ramsComparison: ComparisonRules = {
  rows: (field, rows) => (field === 'papers' ? rows.map(paper) : rows),
}

export default {
  kind: ramsPack,
  body: () => import('./body.web.tsx'),
  compare: ramsComparison,
  check: (record) => ({ sums: countWords(rowsOf(record.papers).length, 'paper'), looks: [] }),
} satisfies DocumentKindWeb
