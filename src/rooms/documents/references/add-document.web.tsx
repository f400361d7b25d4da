import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { iriOf } from '#kernel/resource.ts'
import { openPdf } from '#web/api/pdf.ts'
import { say } from '#web/ui/say.ts'
import { DocumentChips } from '../kinds/chips.web.tsx'
import { document } from '../kinds/document.ts'
import { type DocumentKind, titleIn } from '../kinds/kind.ts'
import type { DocumentRecord } from '../kinds/record.web.ts'
import type { References, ReferredDocument } from '../kinds/reference.ts'
import { AddButton, ChooseDialog } from './choose-list.web.tsx'
import css from './references.module.css'

interface Props {
  readonly opened: boolean
  readonly kind: DocumentKind
  readonly of: References
  /** The number of the document that is being written: it does not refer to itself. */
  readonly own: string
  /** Numbers that it refers to already. */
  readonly chosen: readonly string[]
  readonly onAdd: (target: ReferredDocument) => void
  readonly onClose: () => void
}

/** Chooses documents to refer to (safety specification, section 2). It stays open: several are added one after the other. */
export function AddDocumentDialog({ opened, kind, of, own, chosen, onAdd, onClose }: Props) {
  const same = of.to.length === 1 && of.to[0] === kind.kind
  const r = same ? { ...kind.resource, url: `${kind.resource.url}/list_associated` } : document
  const sealed = { state: ['current', 'complete'], ...(same ? {} : { kind: of.to, retired: false }) }
  return (
    <ChooseDialog
      opened={opened}
      onClose={onClose}
      title={`Add ${of.label}`}
      r={r}
      params={sealed}
      label={of.label}
      draw={(row) => {
        const record = row as unknown as DocumentRecord
        const title = same ? titleIn(kind, record) : String(row.title)
        const pdf = () =>
          void openPdf(`${iriOf(kind.resource, record.id)}/pdf`).catch((e: unknown) => say.failed(e, pdf))
        return (
          <>
            <div className={css.what}>
              <strong>{`${record.documentNumber}, revision ${record.revision}`}</strong>
              <span>{title}</span>
              <DocumentChips record={record} />
            </div>
            <div className={css.actions}>
              {same && (
                <Button
                  variant="subtle"
                  size="compact-md"
                  leftSection={<IconFileTypePdf size={16} aria-hidden />}
                  aria-label={`View Pdf of ${record.documentNumber}`}
                  onClick={pdf}
                >
                  View Pdf
                </Button>
              )}
              <AddButton
                name={record.documentNumber}
                added={chosen.includes(record.documentNumber)}
                refused={record.documentNumber === own}
                onAdd={() =>
                  onAdd({
                    '@id': iriOf(document, record.id),
                    id: record.id,
                    kind: same ? kind.kind : String(row.kind),
                    documentNumber: record.documentNumber,
                    revision: record.revision,
                    title,
                    completedAt: record.completedAt,
                    seal: record.seal,
                  })
                }
              />
            </div>
          </>
        )
      }}
    />
  )
}
