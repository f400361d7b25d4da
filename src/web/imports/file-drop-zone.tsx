import { Alert, Button, FileButton, Group, Loader, Text } from '@mantine/core'
import { IconFileSpreadsheet, IconRefresh, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ApiError } from '#web/api/client.ts'
import { errorSentence } from '#web/ui/toast.ts'
import { DropZone } from '#web/uploads/drop-zone.tsx'

interface Props<T> {
  /** Kinds of file, in a sentence: “a CSV file”. */
  readonly kinds: string
  /** File names and types that the file picker offers. */
  readonly accept: string
  readonly maxBytes: number
  /** Limits, and a note that nothing has been imported yet. */
  readonly about: string
  readonly upload: (file: File, signal: AbortSignal) => Promise<T>
  readonly onSent: (sent: T) => void
}

const size = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`

/**
 * Drop zone that uploads a file chosen by drag and drop or in the file picker. If the upload fails, the file stays
 * selected.
 */
export function ImportFileDropZone<T>({ kinds, accept, maxBytes, about, upload, onSent }: Props<T>) {
  const [file, setFile] = useState<File>()
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  /** Whether to upload the file again, because the server has not read it yet. */
  const [again, setAgain] = useState(false)
  const sent = useRef<AbortController>(undefined)

  const send = async (chosen: File) => {
    setFile(chosen)
    setFailure(undefined)
    setAgain(false)
    if (chosen.size > maxBytes)
      return setFailure(
        `The file is larger than ${size(maxBytes).replace('.0', '')}. Please split it into smaller files.`,
      )
    const controller = new AbortController()
    sent.current = controller
    setSending(true)
    try {
      onSent(await upload(chosen, controller.signal))
    } catch (e) {
      const refused = e instanceof ApiError && (e.status === 413 || e.status === 422)
      setAgain(!refused)
      if (!controller.signal.aborted)
        setFailure((e instanceof ApiError ? e.violations[0]?.message : undefined) ?? errorSentence(e))
    }
    setSending(false)
  }
  const take = ([dropped]: readonly File[]) => {
    if (dropped && !sending) void send(dropped)
  }
  return (
    <DropZone label="Choose a file" onFiles={take}>
      <IconFileSpreadsheet size={40} stroke={1.4} aria-hidden />
      {sending ? (
        <>
          <Group gap="xs" role="status">
            <Loader size="sm" aria-hidden />
            <Text>
              Uploading and checking {file?.name} ({size(file?.size ?? 0)})…
            </Text>
          </Group>
          <Button variant="default" onClick={() => sent.current?.abort()}>
            Stop
          </Button>
        </>
      ) : (
        <>
          <Text>Drop {kinds} here, or choose one.</Text>
          <Text size="sm" c="dimmed">
            {about}
          </Text>
          {failure && (
            <Alert color="red" role="alert" title={`${file?.name ?? 'The file'} was rejected`} ta="start">
              {failure}
            </Alert>
          )}
          <Group gap="sm" justify="center">
            {failure && file && again && (
              <Button leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => void send(file)}>
                Retry
              </Button>
            )}
            <FileButton accept={accept} onChange={(chosen) => chosen && void send(chosen)}>
              {(props) => (
                <Button
                  {...props}
                  variant={again ? 'default' : 'filled'}
                  leftSection={<IconUpload size={16} aria-hidden />}
                >
                  {failure ? 'Choose another file' : 'Choose a file'}
                </Button>
              )}
            </FileButton>
          </Group>
        </>
      )}
    </DropZone>
  )
}
