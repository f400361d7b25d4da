import { Button, FileButton, Group, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCamera, IconCloudUpload, IconUpload } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import { useIsPhone } from '../ui/is-phone.ts'
import { DropZone } from './drop-zone.tsx'

/** File types that the server accepts. The server also checks the files' content. */
const ACCEPTED =
  'image/*,.heic,.heif,.pdf,.doc,.docx,.odt,.xls,.xlsx,.ods,.ppt,.pptx,.csv,.txt,application/pdf,text/plain,text/csv'

interface Props {
  readonly label: string
  readonly onFiles: (files: readonly File[]) => void
  readonly disabled?: boolean
  /** Whether the drop area is limited to one line, without the picture. */
  readonly small?: boolean
  /** Whether photos are wanted, so that one button opens the camera of a phone, or the pictures of a computer. */
  readonly photo?: boolean
}

/** Input for adding files by dropping, choosing or pasting them, or with the camera on a phone. */
export function FileDrop({ label, onFiles, disabled = false, small = false, photo = false }: Props) {
  const phone = useIsPhone()
  const thumb = useMediaQuery('(pointer: coarse)', undefined, { getInitialValueInEffect: false })
  const touch = phone || thumb
  const take = (files: Iterable<File>) => {
    const chosen = [...files]
    if (chosen.length && !disabled) onFiles(chosen)
  }
  usePaste(take)
  if (photo)
    return (
      <Group gap="sm">
        <FileButton
          accept="image/*"
          {...(touch ? { capture: 'environment' } : { multiple: true })}
          onChange={(chosen: File | File[] | null) => chosen && take([chosen].flat())}
        >
          {(props) => (
            <Button {...props} disabled={disabled} variant="light" leftSection={<IconCamera size={16} aria-hidden />}>
              Add a photo
            </Button>
          )}
        </FileButton>
        {touch && (
          <FileButton multiple accept={ACCEPTED} onChange={take}>
            {(props) => (
              <Button {...props} disabled={disabled} variant="subtle">
                Choose files
              </Button>
            )}
          </FileButton>
        )}
      </Group>
    )
  return (
    <DropZone label={label} onFiles={take} small={small}>
      {!small && <IconCloudUpload size={32} stroke={1.4} aria-hidden />}
      <Text size="sm" c={small ? 'dimmed' : undefined}>
        {touch ? 'Photos, PDF and Office files' : 'Drop files here, paste them, or choose them.'}
      </Text>
      <Group gap="sm" justify={small ? 'start' : 'center'}>
        {touch && (
          <FileButton accept="image/*" capture="environment" onChange={(file) => file && take([file])}>
            {(props) => (
              <Button {...props} disabled={disabled} leftSection={<IconCamera size={16} aria-hidden />}>
                Take a photo
              </Button>
            )}
          </FileButton>
        )}
        <FileButton multiple accept={ACCEPTED} onChange={take}>
          {(props) => (
            <Button {...props} disabled={disabled} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
              Choose files
            </Button>
          )}
        </FileButton>
      </Group>
    </DropZone>
  )
}

/**
 * Adds pasted files, unless the person pastes into a text input. If the page has several drop areas, the first one gets
 * the files.
 */
function usePaste(take: (files: Iterable<File>) => void) {
  const paste = useEffectEvent((e: ClipboardEvent) => {
    const files = e.clipboardData?.files
    const writing = e.target instanceof Element && e.target.closest('input, textarea, [contenteditable=true]')
    if (!files?.length || writing || e.defaultPrevented) return
    e.preventDefault()
    take(files)
  })
  useEffect(() => {
    const listen = (e: ClipboardEvent) => paste(e)
    document.addEventListener('paste', listen)
    return () => document.removeEventListener('paste', listen)
  }, [])
}
