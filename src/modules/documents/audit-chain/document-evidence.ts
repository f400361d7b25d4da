import {
  defineEvidence,
  type EvidenceSpec,
  type LegacyChainLinkData,
  type SealedRowsSpec,
  type StoredColumnValues,
} from '#kernel/evidence.ts'
import { columnOf, type Field } from '#kernel/fields.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'

/**
 * Document columns for the fields of an entry in the original format. Of the other fields, the title has its own
 * column, `controls` contains rows, times are ignored, and the rest belong to the column `content`.
 */
const COLUMNS: Readonly<Record<string, string>> = {
  kind: 'kind',
  documentNumber: 'number',
  revision: 'revision',
  parent: 'parent_id',
  previous: 'parent_id',
  industry: 'industry_id',
  isTemplate: 'is_template',
  author: 'author',
  completedBy: 'completed_by',
}

/** Title field by document type. */
const TITLES: Readonly<Record<string, string>> = { risk_assessment: 'description', toolbox_talk: 'title' }

/** Column names of risk assessment rows that differ from their field names. */
const LINE_COLUMNS: Readonly<Record<string, string>> = {
  group: 'group_name',
  hazard: 'hazard_id',
  control: 'control_id',
}

/** Time fields, which are ignored because the original format stored them only to the second. */
const TIMES = new Set(['createdAt', 'completedAt'])

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Converts the content of an entry in the original format to the columns and rows that the entry sealed. */
function toLegacyEntry(subject: StoredColumnValues): LegacyChainLinkData {
  const title = TITLES[String(subject.kind)]
  const columns: Record<string, unknown> = {}
  const content: Record<string, unknown> = {}
  const lines: StoredColumnValues[] = []
  for (const [name, value] of Object.entries(subject)) {
    const column = name === title ? 'title' : COLUMNS[name]
    if (column) columns[column] = value
    else if (name === 'controls') lines.push(...(value as StoredColumnValues[]).map(formerLine))
    else if (!TIMES.has(name)) content[name] = value
  }
  return {
    columns: { ...columns, content },
    ...(subject.kind === 'risk_assessment' ? { rows: { risk_item: lines } } : {}),
  }
}

const formerLine = (line: StoredColumnValues): StoredColumnValues =>
  Object.fromEntries(Object.entries(line).map(([name, value]) => [LINE_COLUMNS[name] ?? snake(name), value]))

/** Status columns of a revision: the decisions on it, and whether it is in force. */
const STATE = [
  'state',
  'complete',
  'approved',
  'current',
  'retired',
  'approved_at',
  'approved_by',
  'decision_note',
  'review_due',
  'reviewed',
  'change',
  'audience',
  'ended_by',
  'ended_at',
  'review_set_by',
  'review_set_at',
  'review_asked',
]

/** Content columns of a completed revision, excluding rows in separate tables. */
const CONTENT_COLUMNS = [
  'kind',
  'number',
  'revision',
  'parent_id',
  'title',
  'industry_id',
  'is_template',
  'content',
  'author',
  'created_at',
  'completed_at',
  'completed_by',
  'form_id',
  'form_digest',
  'per_client',
  'origin_id',
]

const named = (what: string) => (row: StoredColumnValues) => `${what} "${String(row.name)}"`

/**
 * Returns the sealing rules for the rows that a document type stores in separate tables, including the column that
 * refers to the parent.
 */
const rowsOf = (kind: DocumentKind): SealedRowsSpec[] =>
  kind.rows.flatMap((name) => {
    const { target, by = '' } = (kind.resource.fields as Readonly<Record<string, Field>>)[name] as Field
    const of = target?.()
    if (!of) return []
    const column = of.columns[by] ?? columnOf(by, of.fields[by] as Field)
    return [
      {
        table: of.table,
        by: column,
        named: lineNamed,
        ...(kind.references?.[name] ? REFERENCES : {}),
        ...kind.sealedRows?.[name],
      },
    ]
  })

/** Declares which columns and rows are sealed for documents of the given types. */
export function defineDocumentEvidence(kinds: readonly DocumentKind[]): EvidenceSpec {
  const lines = [...new Map(kinds.flatMap(rowsOf).map((rows) => [rows.table, rows])).values()]
  const tables = lines.map(({ table }) => table)
  return defineEvidence({
    of: document,
    named: ({ number, revision }) => `${String(number)} revision ${String(revision)}`,
    claims:
      "t.seal IS NOT NULL OR t.complete OR t.state <> 'draft' OR EXISTS (SELECT 1 FROM signature g WHERE g.client_id = t.client_id AND g.document_id = t.id)",
    rows: [
      ...lines,
      {
        table: 'signature',
        by: 'document_id',
        named: named('the signature of'),
        place: 'place',
        digested: ['strokes'],
        later: { questions: [] },
      },
      {
        table: 'document_print',
        by: 'document_id',
        named: (row) => `the stored PDF ${String(row.checksum).slice(0, 8)}`,
        digested: ['material'],
        file: { key: 'file_key', checksum: 'checksum' },
      },
      {
        table: 'document_sending',
        by: 'document_id',
        named: (row) => `the e-mail sent by ${String(row.author)}`,
        digested: ['addresses', 'message'],
      },
      {
        table: 'pack_answer',
        by: 'document_id',
        named: (row) => `the answer of "${String(row.name)}"`,
        place: 'place',
        digested: ['comment', 'opened'],
      },
    ],
    uploads: uploadedDocument,
    events: {
      completed: { columns: [...CONTENT_COLUMNS, ...STATE], rows: tables, files: true, mark: 'seal' },
      approved: { columns: STATE },
      rejected: { columns: STATE },
      replaced: { columns: STATE },
      retired: { columns: STATE },
      withdrawn: { columns: STATE },
      restored: { columns: STATE },
      'review moved': { columns: STATE },
      'audience changed': { columns: STATE },
      sent: { adds: 'document_sending' },
      signed: { adds: 'signature' },
      answered: { adds: 'pack_answer' },
      printed: { adds: 'document_print' },
      adopted: { columns: [...CONTENT_COLUMNS, ...STATE], rows: [...tables, 'signature'], files: true },
    },
    later: {
      change: null,
      form_id: null,
      form_digest: null,
      ended_by: null,
      ended_at: null,
      review_set_by: null,
      review_set_at: null,
      review_asked: null,
    },
    // Excludes the number of signatures, because each signature has its own seal, which includes its position in the
    // revision.
    without: ['signature_count'],
    columns: {
      change: 'change category',
      form_id: 'form',
      form_digest: 'form fingerprint',
      approved_by: 'approver',
      approved_at: 'time of approval',
      decision_note: 'note',
      review_due: 'review date',
      reviewed: '“reviewed” mark',
      audience: 'readers',
      ended_by: 'record of who withdrew, rejected or deleted it',
      ended_at: 'time of withdrawal, rejection or deletion',
      review_set_by: 'record of who set the review date',
      review_set_at: 'time of the review date change',
      review_asked: 'review reason',
      origin_id: 'origin',
      seal: 'fingerprint',
      retired: '“deleted” mark',
      current: '“current” mark',
      complete: '“complete” mark',
      approved: '“approved” mark',
    },
    former: (event, subject): LegacyChainLinkData => (event === 'completed' ? toLegacyEntry(subject) : {}),
  })
}

/** Returns the default name for a row in a finding, used if the document type provides none. */
const lineNamed = (row: StoredColumnValues) => `its line ${Number(row.position ?? 0) + 1}`

/**
 * Sealing rules for the rows of a document's references: their names in findings, and the column of the referenced
 * file.
 */
const REFERENCES: Pick<SealedRowsSpec, 'named' | 'upload'> = {
  named: ({ position, target_id, file_id }) => {
    const to = target_id === null ? `file ${Number(file_id)}` : `document ${Number(target_id)}`
    return `its reference ${Number(position) + 1} (to ${to})`
  },
  upload: 'file_id',
}
