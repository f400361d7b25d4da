import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { iriOf } from '#kernel/resource.ts'
import { openPdf } from '#web/api/pdf.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import page from '#web/ui/page.module.css'
import { toast } from '#web/ui/toast.ts'
import { document, documentPrint } from '../types/document.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import css from './dialogs.module.css'

/** Stored PDFs of this revision, newest first. Renders nothing if there are none. */
export function StoredPrints({ record }: { readonly record: DocumentRecord }) {
  const list = useList(documentPrint, { document: iriOf(document, record.id), itemsPerPage: 20 })
  const prints = list.data?.['hydra:member'] ?? []
  const more = (list.data?.['hydra:totalItems'] ?? prints.length) - prints.length
  if (!prints.length) return null
  const show = (url: string) => void openPdf(`${url}/pdf`).catch((e: unknown) => toast.failed(e, () => show(url)))
  return (
    <section className={page.card} aria-labelledby="papers">
      <h2 id="papers">Saved PDFs</h2>
      <p className={page.quiet}>A copy is saved at each stage and can’t be changed.</p>
      <ul className={css.papers}>
        {prints.map((p) => (
          <li key={p.id}>
            <span>
              <DateTimeText at={p.createdAt} />
              <code title={p.checksum ?? ''}>{`fingerprint ${(p.checksum ?? '').slice(0, 12)}…`}</code>
            </span>
            <Button
              size="compact-md"
              variant="subtle"
              leftSection={<IconFileTypePdf size={16} aria-hidden />}
              onClick={() => show(p['@id'])}
            >
              View
            </Button>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={page.quiet}>{`And ${more} earlier PDFs.`}</p>}
    </section>
  )
}
