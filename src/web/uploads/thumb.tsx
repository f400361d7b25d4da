import { Skeleton, UnstyledButton } from '@mantine/core'
import {
  IconFile,
  IconFileSpreadsheet,
  IconFileText,
  IconFileTypePdf,
  IconPhoto,
  IconPhotoOff,
  IconPresentation,
} from '@tabler/icons-react'
import { useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { toast } from '../ui/toast.ts'
import { downloadFile, useFileUrl } from './fetch.ts'
import type { StoredFile } from './send.ts'
import css from './uploads.module.css'

const DRAWN = { size: 24, stroke: 1.4 }

/** Icon for a file type. */
function Sign({ type }: { readonly type: string }) {
  if (type.startsWith('image/')) return <IconPhoto {...DRAWN} />
  if (/pdf/.test(type)) return <IconFileTypePdf {...DRAWN} />
  if (/sheet|excel|csv/.test(type)) return <IconFileSpreadsheet {...DRAWN} />
  if (/presentation|powerpoint/.test(type)) return <IconPresentation {...DRAWN} />
  if (/word|text/.test(type)) return <IconFileText {...DRAWN} />
  return <IconFile {...DRAWN} />
}

const KINDS: readonly (readonly [type: RegExp, words: string])[] = [
  [/^image\//, 'Picture'],
  [/pdf/, 'PDF'],
  [/csv/, 'CSV'],
  [/sheet|excel/, 'Spreadsheet'],
  [/presentation|powerpoint/, 'Presentation'],
  [/^text\//, 'Plain text'],
  [/word|text/, 'Text document'],
]

/** Returns the file type in one or two words. */
export const fileTypeLabel = (type: string): string => KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'File'

/** Formats a file size: `812 B`, `34 KB`, `2.1 MB` */
export const formatFileSize = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} B`
    : bytes < 999_500
      ? `${Math.round(bytes / 1000)} KB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`

/** Thumbnail of a picture, or the icon of the file type. */
export function UploadThumbnail({ file }: { readonly file: Pick<StoredFile, 'thumbnailUrl' | 'type'> }) {
  const { url, failed } = useFileUrl(file.thumbnailUrl)
  return (
    <span className={css.thumb} aria-hidden>
      {url ? (
        <img src={url} alt="" />
      ) : file.thumbnailUrl && !failed ? (
        <Skeleton height="100%" />
      ) : failed ? (
        <IconPhotoOff {...DRAWN} />
      ) : (
        <Sign type={file.type} />
      )}
    </span>
  )
}

interface NameProps {
  /** File to link to. The label in the list takes precedence over the file's own label. */
  readonly file: StoredFile & { readonly label?: string }
}

/** Link with a file's thumbnail and name. Pictures open on click; other files are downloaded. */
export function UploadedFileLink({ file }: NameProps) {
  const [open, setOpen] = useState(false)
  const save = () => void downloadFile(`${file.url}?original=true`, file.name).catch((e) => toast.failed(e, save))
  const picture = file.thumbnailUrl !== null
  return (
    <>
      <UnstyledButton
        className={css.name}
        onClick={() => (picture ? setOpen(true) : save())}
        aria-label={picture ? `View ${file.name}` : `Save ${file.name}`}
      >
        <UploadThumbnail file={file} />
        <span className={css.words}>{file.name}</span>
      </UnstyledButton>
      {picture && (
        <Dialog opened={open} onClose={() => setOpen(false)} title={file.label || file.name}>
          <Whole file={file} />
        </Dialog>
      )}
    </>
  )
}

function Whole({ file }: NameProps) {
  const { url, failed } = useFileUrl(file.url)
  if (failed) return <p role="alert">Could not load the picture. Please close the picture and try again.</p>
  return url ? <img className={css.whole} src={url} alt={file.label || file.name} /> : <Skeleton height={320} />
}
