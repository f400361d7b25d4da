import '@mantine/core/styles/Menu.layer.css'
import { Menu } from '@mantine/core'
import {
  IconArchive,
  IconArchiveOff,
  IconBuildingSkyscraper,
  IconCheck,
  IconCopy,
  IconDownload,
  IconFileExport,
  IconFiles,
  IconFileTypePdf,
  IconPencil,
  IconRefresh,
  IconRefreshDot,
  IconSend,
} from '@tabler/icons-react'
import { type ReactElement, type Ref, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { useActor } from '#web/api/me.ts'
import { openPdf, savePdf } from '#web/api/pdf.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { useOpenedMenu } from '#web/ui/overlays/use-opened-menu.ts'
import { toast } from '#web/ui/toast.ts'
import { DocumentActionDialog } from '../lifecycle/act-dialog.web.tsx'
import { useRetireDocuments } from '../lifecycle/retire.web.tsx'
import { fetchCombinedPdf, openDocumentPdf, saveDocumentPdf } from '../packs/print-together.web.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import { type DocumentRecord, documentPermissions } from '../types/record.web.ts'
import { documentTypesStartableFrom } from '../types/startable-from.web.ts'

const SendDialog = lazyComponent(() => import('../sending/send.web.tsx'))
const CopyToDialog = lazyComponent(() => import('../lifecycle/copy-to.web.tsx'))
const ReviewDialog = lazyComponent(() => import('../review/review.web.tsx'))

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
  /** True on the document's own page, which shows buttons for the other actions. */
  readonly opened: boolean
  readonly button: (more: { readonly ref: Ref<HTMLButtonElement> }) => ReactElement
}

type Open = 'send' | 'copyTo' | 'review' | 'revise' | 'withdraw'

const acts = (open: Open | undefined) => (open === 'revise' || open === 'withdraw' ? open : undefined)

/** Menu of a document with its dialogs, already open when mounted. */
export default function DocumentMenu({ parts, record, opened, button }: Props) {
  const { menu, button: ref } = useOpenedMenu()
  const { kind, words } = parts
  const may = documentPermissions(kind, useActor(), record)
  const navigate = useNavigate()
  const [dialog, retire] = useRetireDocuments(kind)
  const [open, setOpen] = useState<Open>()
  const [acted, setActed] = useState(false)
  if (acts(open) && !acted) setActed(true)
  const close = () => setOpen(undefined)
  const begin = kind.screens.update.replace(/\/update$/, '')
  const pdf = () => void openDocumentPdf(kind, record).catch((e: unknown) => toast.failed(e, pdf))
  const save = () => void saveDocumentPdf(kind, record).catch((e: unknown) => toast.failed(e, save))
  const whole = { documents: [record.id], deep: true } as const
  const pack = () => void fetchCombinedPdf(whole, openPdf).catch((e: unknown) => toast.failed(e, pack))
  const savePack = () => void fetchCombinedPdf(whole, savePdf).catch((e: unknown) => toast.failed(e, savePack))
  return (
    <>
      <Menu {...menu} position="bottom-end" withinPortal shadow="md" width={220}>
        <Menu.Target>{button({ ref })}</Menu.Target>
        <Menu.Dropdown>
          {!opened && (
            <Menu.Item leftSection={<IconFileTypePdf size={16} aria-hidden />} onClick={pdf}>
              View PDF
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
            Download PDF
          </Menu.Item>
          {!opened && may.write && (
            <Menu.Item
              leftSection={<IconPencil size={16} aria-hidden />}
              onClick={() => void navigate(`${kind.screens.update}/${record.id}`)}
            >
              Edit
            </Menu.Item>
          )}
          {!opened && may.write && (
            <Menu.Item
              leftSection={<IconCheck size={16} aria-hidden />}
              onClick={() => void navigate(`${kind.screens.update}/${record.id}/check`)}
            >
              Complete
            </Menu.Item>
          )}
          {may.copy && (
            <Menu.Item
              leftSection={<IconCopy size={16} aria-hidden />}
              onClick={() => void navigate(`${begin}/copy/${record.id}`)}
            >
              Copy
            </Menu.Item>
          )}
          {may.copy &&
            !(opened && record.current) &&
            documentTypesStartableFrom(parts, record).map(({ action, to }) => (
              <Menu.Item
                key={to}
                leftSection={<IconFileExport size={16} aria-hidden />}
                onClick={() => void navigate(to)}
              >
                {action}
              </Menu.Item>
            ))}
          {(may.retire || may.revise) && record.state !== 'draft' && !record.retired && (
            <Menu.Item leftSection={<IconRefreshDot size={16} aria-hidden />} onClick={() => setOpen('review')}>
              Review
            </Menu.Item>
          )}
          {!opened && may.revise && (
            <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => setOpen('revise')}>
              {words?.revise ?? 'Revise'}
            </Menu.Item>
          )}
          {may.send && kind.references && !kind.shared && (
            <>
              <Menu.Item leftSection={<IconFiles size={16} aria-hidden />} onClick={pack}>
                Print with all references
              </Menu.Item>
              <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={savePack}>
                Download with all references
              </Menu.Item>
            </>
          )}
          {may.send && (
            <Menu.Item leftSection={<IconSend size={16} aria-hidden />} onClick={() => setOpen('send')}>
              Send by e-mail
            </Menu.Item>
          )}
          {may.copyTo && (
            <Menu.Item leftSection={<IconBuildingSkyscraper size={16} aria-hidden />} onClick={() => setOpen('copyTo')}>
              Copy to a client
            </Menu.Item>
          )}
          {may.withdraw && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconArchive size={16} aria-hidden />} onClick={() => setOpen('withdraw')}>
                Withdraw
              </Menu.Item>
            </>
          )}
          {may.retire && (
            <>
              <Menu.Divider />
              <Menu.Item
                leftSection={
                  record.retired ? <IconArchiveOff size={16} aria-hidden /> : <IconArchive size={16} aria-hidden />
                }
                onClick={() => void retire([record], !record.retired)}
              >
                {record.retired ? 'Restore' : 'Delete'}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog}
      {/* Mounts the dialogs on first use only, because a list has many rows. */}
      {acted && (
        <DocumentActionDialog
          parts={parts}
          record={record}
          action={acts(open)}
          onClose={close}
          onDone={(answer, done) => {
            if (done === 'revise') void navigate(`${kind.screens.update}/${answer.id}`)
          }}
        />
      )}
      <Suspense>
        {open === 'send' && <SendDialog kind={kind} record={record} onClose={close} />}
        {open === 'copyTo' && <CopyToDialog kind={kind} record={record} onClose={close} />}
        {open === 'review' && (
          <ReviewDialog
            kind={kind}
            record={record}
            says={parts.words?.review}
            onClose={close}
            onRevise={() => setOpen('revise')}
          />
        )}
      </Suspense>
    </>
  )
}
