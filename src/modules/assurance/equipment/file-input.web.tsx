import { Group, Input, Text } from '@mantine/core'
import { useState } from 'react'
import { iriOf } from '#kernel/resource.ts'
import type { CustomInput } from '#web/forms/resource-form.tsx'
import { linkedRecordIri } from '#web/forms/values.ts'
import { FileDrop } from '#web/uploads/file-drop.tsx'
import { UploadsProgress } from '#web/uploads/progress.tsx'
import { useFileUploads } from '#web/uploads/queue.ts'
import type { StoredFile } from '#web/uploads/send.ts'
import { UploadedFileLink } from '#web/uploads/thumb.tsx'
import { equipmentFile } from './item.ts'

/** Returns the input of a report or scheme of an item. A further file takes the place of the one before. */
export const fileInputOf =
  (item: string, label: string): CustomInput =>
  ({ value, onChange, error }) => {
    const [file, setFile] = useState<StoredFile>()
    const { uploads, add, retry, remove } = useFileUploads<StoredFile>({
      to: `${item}/files`,
      onDone: (stored) => {
        setFile(stored)
        onChange(iriOf(equipmentFile, stored.id))
      },
    })
    const isCurrent = file && linkedRecordIri(value) === iriOf(equipmentFile, file.id)
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
