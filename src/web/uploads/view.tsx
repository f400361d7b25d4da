import { Skeleton, Text } from '@mantine/core'
import { useFiles } from './table.tsx'
import { UploadsName } from './thumb.tsx'
import css from './uploads.module.css'

/** Uploaded documents to look at: small pictures with their labels. */
export function UploadsView({ value }: { readonly value: readonly string[] }) {
  const files = useFiles(value)
  if (!files.length)
    return (
      <Text size="sm" c="dimmed">
        No files.
      </Text>
    )
  return (
    <ul className={css.gallery}>
      {files.map(({ iri, file, failed }) => (
        <li key={iri}>
          {file ? (
            <>
              <UploadsName file={file} />
              {file.label && <span className={css.caption}>{file.label}</span>}
            </>
          ) : failed ? (
            <Text size="sm">This file could not be found</Text>
          ) : (
            <Skeleton height={56} />
          )}
        </li>
      ))}
    </ul>
  )
}
