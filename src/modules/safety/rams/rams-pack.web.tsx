import { isPlainObject, toRowObjects } from '#kernel/forms/rows.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { formatCountWithNoun, toText } from '#kernel/text.ts'
import type { ComparisonRules } from '#modules/documents/types/comparison-rules.ts'
import type { DocumentTypeScreens } from '#modules/documents/types/kind.web.ts'
import { ramsPack } from './rams-pack.ts'

const FINGERPRINT = 8

/**
 * Returns the values by which a document or file in a pack is compared: name, notes and, for a document, the revision
 * or, for a file, a fingerprint.
 */
function paper({ target, file, notes }: Values): Values {
  if (isPlainObject(target))
    return {
      name: `${toText(target.documentNumber)} ${toText(target.title) || 'A document you can’t access'}`,
      revision: target.revision,
      notes,
    }
  const of = isPlainObject(file) ? file : {}
  return { name: toText(of.label) || toText(of.name), fingerprint: toText(of.checksum).slice(0, FINGERPRINT), notes }
}

const ramsComparison: ComparisonRules = {
  rows: (field, rows) => (field === 'papers' ? rows.map(paper) : rows),
}

export default {
  kind: ramsPack,
  body: () => import('./body.web.tsx'),
  compare: ramsComparison,
  check: (record) => ({ sums: formatCountWithNoun(toRowObjects(record.papers).length, 'paper'), looks: [] }),
} satisfies DocumentTypeScreens
