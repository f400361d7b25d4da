import { Skeleton, Text } from '@mantine/core'
import type { AnswerUpload } from '#kernel/forms/uploads.ts'
import { useUploadedFiles } from './table.tsx'
import { UploadedFileLink } from './thumb.tsx'
import css from './uploads.module.css'

/** Read-only list of uploaded documents, with their thumbnails and labels. */
export function UploadsView({ value }: { readonly value: readonly AnswerUpload[] }) {
  const files = useUploadedFiles(value.map((v) => v['@id']))
  if (!files.length)
    return (
      <Text size="sm" c="dimmed">
        No files
      </Text>
    )
  return (
    <ul className={css.gallery}>
      {files.map(({ iri, file, failed }, i) => (
        <li key={iri}>
          {file ? (
            <>
              <UploadedFileLink file={file} />
              <Caption>{value[i]?.label || file.label}</Caption>
            </>
          ) : failed ? (
            <Text size="sm">File not found</Text>
          ) : (
            <Skeleton height={56} />
          )}
        </li>
      ))}
    </ul>
  )
}

const Caption = ({ children }: { readonly children: string }) =>
  children && <span className={css.caption}>{children}</span>
