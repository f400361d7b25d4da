import { isPlainObject, toRowObjects } from '#kernel/forms/rows.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { formatCountWithNoun, toText } from '#kernel/text.ts'
import type { ComparisonRules } from '#modules/documents/types/comparison-rules.ts'
import type { TypeCompletionCheck } from '#modules/documents/types/completion-check.ts'
import type { DocumentBodyProps, DocumentTypeScreens } from '#modules/documents/types/kind.web.ts'
import { methodStatementInfo } from '../methods/method-info.ts'
import css from '../shared-fields/body.module.css'
import { JobSection, toLabelledFacts } from '../shared-fields/body-parts.web.tsx'
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

/**
 * Returns the number of documents, and a note if the pack has neither a method statement nor a file: RAMS must state the
 * method of work.
 */
function checkRamsPackCompletion(record: Values): TypeCompletionCheck {
  const papers = toRowObjects(record.papers)
  const statesMethod = papers.some(
    ({ target, file }) => isPlainObject(file) || (isPlainObject(target) && target.kind === methodStatementInfo.kind),
  )
  return {
    sums: formatCountWithNoun(papers.length, 'document'),
    looks: statesMethod
      ? []
      : [{ title: 'Method', items: [{ text: 'This pack has no method statement.', at: 'papers' }] }],
  }
}

function RamsPackBody(props: DocumentBodyProps) {
  const notes = toText(props.record.notes).trim()
  return (
    <div className={css.body}>
      {notes && <p className={css.words}>{notes}</p>}
      <JobSection
        {...props}
        title="The job"
        more={toLabelledFacts(props, [
          ['supervisor', 'Site supervisor'],
          ['telephone', 'Supervisor’s telephone'],
        ])}
      />
    </div>
  )
}

export default {
  kind: ramsPack,
  body: async () => ({ default: RamsPackBody }),
  compare: ramsComparison,
  check: checkRamsPackCompletion,
} satisfies DocumentTypeScreens
