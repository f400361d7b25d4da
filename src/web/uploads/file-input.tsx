import { Group, Input, Text } from '@mantine/core'
import { useState } from 'react'
import { iriOf, type Resource } from '#kernel/resource.ts'
import type { CustomInput } from '../forms/resource-form.tsx'
import { linkedRecordIri } from '../forms/values.ts'
import { FileDrop } from './file-drop.tsx'
import { UploadsProgress } from './progress.tsx'
import { useFileUploads } from './queue.ts'
import type { StoredFile } from './send.ts'
import { UploadedFileLink } from './thumb.tsx'

interface FileInputOptions {
  readonly label: string
  /** Address to which files are uploaded. */
  readonly to: string
  /** Resource of the uploaded files. */
  readonly resource: Resource
}

/** Returns the input of a relation to one uploaded file. A further file replaces the one before. */
export const createFileInput =
  ({ label, to, resource }: FileInputOptions): CustomInput =>
  ({ value, onChange, error }) => {
    const [file, setFile] = useState<StoredFile>()
    const { uploads, add, retry, remove } = useFileUploads<StoredFile>({
      to,
      onDone: (stored) => {
        setFile(stored)
        onChange(iriOf(resource, stored.id))
      },
    })
    const isCurrent = file && linkedRecordIri(value) === iriOf(resource, file.id)
    return (
      <Input.Wrapper label={label} labelElement="div" error={error}>
        {isCurrent && (
          <Group gap="xs">
            <UploadedFileLink file={file} />
            <Text size="sm" c="dimmed">
              Added
            </Text>
          </Group>
        )}
        <FileDrop label={isCurrent ? 'Choose another file' : 'Add a file'} onFiles={(files) => add(files.slice(-1))} />
        <UploadsProgress uploads={uploads} onRetry={retry} onRemove={remove} />
      </Input.Wrapper>
    )
  }
