import { Button, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { type Collection, queryString } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { SearchBox } from '#web/lists/search-box.tsx'
import { useUrlState } from '#web/lists/use-url-state.ts'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows, NoResults, OfflineNotice } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import { fileTypeLabel, formatFileSize, UploadThumbnail } from '#web/uploads/thumb.tsx'
import { ExpiryChip } from '../file-manager/expiry-chip.web.tsx'
import { type documentFolder, FILE_ADMIN_ROLES, uploadedDocument } from '../files/uploaded-document.ts'
import { PORTAL_NAV } from '../nav.ts'
import css from './downloads.module.css'

type FileRecord = RecordOf<typeof uploadedDocument>
interface Group {
  readonly folder: RecordOf<typeof documentFolder>
  readonly uploadedDocuments: readonly FileRecord[]
}

const URL = `${uploadedDocument.url}/downloads`
const STATE = z.object({ q: z.string().default('') })

/** Page with the company's and the provider's downloads, by folder. */
export default function DownloadsPage() {
  const actor = useActor()
  const [state, set] = useUrlState(STATE)
  const found = useQuery({
    queryKey: [URL, state],
    ...urlQueryOptions<Collection<Group>>(`${URL}${queryString(state)}`),
    placeholderData: keepPreviousData,
  })
  const groups = found.data?.['hydra:member'].filter(({ uploadedDocuments: files }) => files.length > 0)
  return (
    <Page title={PORTAL_NAV.downloads.title} about="Forms, certificates and handbooks. Choose a file to download it.">
      <OfflineNotice />
      <div className={css.tools}>
        <SearchBox label="Search downloads" value={state.q} onChange={(q) => set({ q })} />
      </div>
      {found.error ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : !groups ? (
        <LoadingRows />
      ) : groups.length ? (
        groups.map((group) => <Folder key={group.folder.id} group={group} actor={actor} />)
      ) : state.q ? (
        <NoResults onClear={() => set({ q: '' })} />
      ) : (
        <Nothing mayMark={hasRole(actor, FILE_ADMIN_ROLES)} />
      )}
    </Page>
  )
}

const Nothing = ({ mayMark }: { readonly mayMark: boolean }) =>
  mayMark ? (
    <EmptyState
      title="No downloads yet"
      icon={IconDownload}
      action={
        <Button component={Link} to={PORTAL_NAV.files.path}>
          Open File manager
        </Button>
      }
    >
      Put forms, certificates and handbooks into a folder. Then choose the pencil icon next to the folder and switch on
      “Downloads”. The folder’s files will then appear here for everybody who can read the folder.
    </EmptyState>
  ) : (
    <EmptyState title="No downloads yet" icon={IconDownload}>
      Forms, certificates and handbooks from your company appear here. If a file is missing, ask one of your company’s
      administrators.
    </EmptyState>
  )

/** Returns true for the provider's folders, which all clients share. */
const isShared = ({ folder }: Group, actor: Actor): boolean => folder.client !== `/api/portal/clients/${actor.clientId}`

function Folder({ group, actor }: { readonly group: Group; readonly actor: Actor }) {
  const { folder, uploadedDocuments: files } = group
  return (
    <section className={page.card} aria-labelledby={`folder-${folder.id}`}>
      <h2 id={`folder-${folder.id}`}>
        {folder.name} {isShared(group, actor) && <span className={css.dim}>from your provider</span>}
      </h2>
      <ul className={css.files} aria-label={folder.name ?? ''}>
        {files.map((file) => (
          <li key={file.id}>
            <Download file={file} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A file that is downloaded with a single click. */
function Download({ file }: { readonly file: FileRecord }) {
  const save = () => void downloadFile(`${file.url}?original=true`, file.name).catch((e) => toast.failed(e, save))
  return (
    <div className={css.file}>
      <UploadThumbnail file={file} />
      <div className={css.words}>
        <UnstyledButton className={css.name} onClick={save}>
          <VisuallyHidden>Download</VisuallyHidden> {file.label || file.name}
        </UnstyledButton>
        <span className={css.dim}>
          {file.label ? `${file.name}, ` : ''}
          {fileTypeLabel(file.type)}, {formatFileSize(file.size)}, <DateTimeText at={file.createdAt} day />
        </span>
        <ExpiryChip file={file} />
      </div>
      <IconDownload size={20} aria-hidden />
    </div>
  )
}
