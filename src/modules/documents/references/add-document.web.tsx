import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { iriOf } from '#kernel/resource.ts'
import { toText } from '#kernel/text.ts'
import { openPdf } from '#web/api/pdf.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { ChooserAddButton, RecordChooserDialog } from '#web/lists/chooser/record-chooser.tsx'
import css from '#web/lists/offered/offered.module.css'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { toast } from '#web/ui/toast.ts'
import { DocumentChips } from '../types/chips.web.tsx'
import { document } from '../types/document.ts'
import { type DocumentKind, documentRecordTitle } from '../types/kind.ts'
import { clientIdOf, type DocumentRecord } from '../types/record.web.ts'
import type { ReferenceTargets, ReferredDocument } from '../types/reference.ts'

interface Props {
  readonly opened: boolean
  readonly kind: DocumentKind
  readonly of: ReferenceTargets
  /** Number of the document being edited, which can't refer to itself. */
  readonly own: string
  /** Document numbers already referred to. */
  readonly chosen: readonly string[]
  readonly onAdd: (target: ReferredDocument) => void
  readonly onClose: () => void
}

type Row = Readonly<Record<string, unknown>>

const OFFERED = { state: ['current', 'complete'] }
/** Incomplete and deleted documents are listed with their status too, but can't be added. */
const LISTED = { state: ['draft', ...OFFERED.state], retired: 'any' }

/**
 * Returns the API list of the documents to offer, and how to read its rows. The list contains documents of the same
 * type, of one other type or of several types.
 */
function offerOf(kind: DocumentKind, { to, from }: ReferenceTargets) {
  const same = to.length === 1 && to[0] === kind.kind
  if (from)
    return {
      r: { ...document, url: `${from.url}/${from.list}` },
      asked: LISTED,
      kindOf: () => to[0] ?? '',
      titleOf: (row: Row) => toText(row[from.by]) || toText(row.name) || toText(row.title),
      pdf: (id: number) => `${from.url}/${id}/pdf`,
    }
  return same
    ? {
        r: { ...kind.resource, url: `${kind.resource.url}/list_associated` },
        asked: OFFERED,
        kindOf: () => kind.kind,
        titleOf: (row: Row) => documentRecordTitle(kind, row),
        pdf: (id: number) => `${iriOf(kind.resource, id)}/pdf`,
      }
    : {
        r: document,
        asked: { ...OFFERED, kind: to, retired: false },
        kindOf: (row: Row) => toText(row.kind),
        titleOf: (row: Row) => toText(row.title),
        pdf: undefined,
      }
}

/**
 * Dialog to choose documents to refer to (safety specification, section 2). Stays open so that several can be added.
 */
export function AddDocumentDialog({ opened, kind, of, own, chosen, onAdd, onClose }: Props) {
  const { r, asked, kindOf, titleOf, pdf } = offerOf(kind, of)
  const open = (id: number) => pdf && void openPdf(pdf(id)).catch((e: unknown) => toast.failed(e, () => open(id)))
  return (
    <RecordChooserDialog
      opened={opened}
      onClose={onClose}
      title={`Add ${of.label}`}
      r={r}
      params={asked}
      label={of.label}
      heads={
        of.from
          ? ['ID', of.from.called, 'Reviewed On', 'Author', 'Status', 'Actions']
          : ['Document Number', 'Description', 'Actions']
      }
      draw={(row) => {
        const record = row as unknown as DocumentRecord
        const title = titleOf(row)
        const number = `${record.documentNumber}, revision ${record.revision}`
        const actions = (
          <div className={css.actions}>
            {pdf && (
              <Button
                variant="subtle"
                size="compact-md"
                leftSection={<IconFileTypePdf size={16} aria-hidden />}
                aria-label={`View PDF of ${record.documentNumber}`}
                onClick={() => open(record.id)}
              >
                View Pdf
              </Button>
            )}
            <ChooserAddButton
              name={record.documentNumber}
              added={chosen.includes(record.documentNumber)}
              refused={record.documentNumber === own || record.state === 'draft' || record.retired}
              onAdd={() =>
                onAdd({
                  '@id': iriOf(document, record.id),
                  id: record.id,
                  kind: kindOf(row),
                  documentNumber: record.documentNumber,
                  revision: record.revision,
                  title,
                  completedAt: record.completedAt,
                  seal: record.seal,
                })
              }
            />
          </div>
        )
        const author = record.author && <PersonName username={record.author} clientId={clientIdOf(record)} />
        if (of.from)
          return [
            number,
            title,
            formatIsoAsUkDateTime(toText(row.approvedAt ?? row.completedAt)),
            author,
            <DocumentChips key="status" record={record} />,
            actions,
          ]
        return [
          number,
          <div key="description" className={css.what}>
            {title}
            <DocumentChips record={record} />
          </div>,
          actions,
        ]
      }}
    />
  )
}
